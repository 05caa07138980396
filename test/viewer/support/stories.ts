import { ATTR, type Span } from '../../../src/semconv/index.js'
import { PlanLife } from '../../support/plan-life.js'

/** A plan, and what the first screen of its page must answer. */
export interface Story {
  readonly planId: string
  readonly spans: readonly Span[]
  readonly state: string
  readonly says: readonly (string | RegExp)[]
}

const GATEWAY = '502 from the payment gateway'
const STEPS = ['Find the order', 'Check the address', 'Pay back', 'Write to the customer']

type Attributes = Span['attributes']

/** A plan of a shop, built span by span. */
class Refund {
  readonly life: PlanLife
  readonly planId: string

  constructor(planId: string, number: number, { minutes = 5, ...attributes }: { minutes?: number } & Attributes = {}) {
    this.planId = planId
    this.life = new PlanLife({
      traceId: number.toString(16).padStart(32, 'c'),
      planId,
      begin: Date.now() - minutes * 60_000,
    })
    this.life.start('plan', 'plan', undefined, {
      [ATTR.planTitle]: `Refund an order: ${planId.replaceAll('-', ' ')}`,
      [ATTR.agentName]: 'refund',
      ...attributes,
    })
    this.life.start('planning', 'planning', 'plan', { [ATTR.agentName]: 'planner' })
    this.life.end('planning', { [ATTR.planSteps]: STEPS })
  }

  /** Begins a step. */
  begin(step: number, name = ['finder', 'checker', 'payer', 'writer'][step] ?? ''): this {
    this.life.start('agent', 'agent', 'plan', { [ATTR.agentName]: name, [ATTR.stepIndex]: step })
    return this
  }

  /** Ends the step that is at work. */
  finish(error?: string): this {
    this.life.end(
      'agent',
      error === undefined ? { [ATTR.state]: 'completed' } : { [ATTR.state]: 'failed', [ATTR.errorMessage]: error },
      error === undefined ? 'UNSET' : 'ERROR',
    )
    return this
  }

  /** A cycle with a model call and a tool call. */
  call(tool: string, { error, judged }: { error?: string; judged?: { risk: number; taken: boolean } } = {}): this {
    this.think()
    if (judged) {
      this.life.start('guardrail', 'guardrail', 'cycle', {
        [ATTR.guardrailName]: 'safepred',
        [ATTR.riskScore]: judged.risk,
        [ATTR.riskIsSafe]: false,
        [ATTR.riskActionTaken]: judged.taken,
        [ATTR.riskActionName]: tool,
      })
      this.life.end('guardrail')
    }
    if (judged?.taken !== false) {
      this.life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: tool, [ATTR.toolCallArguments]: '{"order":"A-17"}' })
      this.life.end('tool', error === undefined ? {} : { [ATTR.errorMessage]: error }, error ? 'ERROR' : 'UNSET')
    }
    this.life.end('cycle')
    return this
  }

  /** Begins a cycle with a model call. */
  think(error?: string): this {
    this.life.start('cycle', 'think_act', 'agent')
    this.life.start('model', 'llm', 'cycle', { [ATTR.requestModel]: 'gpt-4.1' })
    if (error === undefined) {
      this.life.end('model', {
        [ATTR.usageInputTokens]: 12_000,
        [ATTR.usageOutputTokens]: 800,
        [ATTR.usageCostUsd]: 0.03,
      })
    } else this.life.end('model', { [ATTR.errorMessage]: error }, 'ERROR')
    return this
  }

  /** The first steps, without trouble. */
  untilPaying(): this {
    return this.begin(0).call('orders.find').finish().begin(1).call('address.check').finish().begin(2)
  }

  end(state: string, error?: string): this {
    const why = error === undefined ? {} : { [ATTR.errorMessage]: error }
    this.life.end('plan', { [ATTR.state]: state, ...why }, error === undefined ? 'UNSET' : 'ERROR')
    return this
  }

  story(state: string, ...says: (string | RegExp)[]): Story {
    const spans = this.life.rows.map((row) => ({ ...row, name: named(row) }))
    return { planId: this.planId, spans, state, says }
  }
}

const named = ({ name, attributes: of }: Span): string =>
  [name, of[ATTR.toolName] ?? of[ATTR.requestModel] ?? of[ATTR.agentName]].filter(Boolean).join(' ')

/** Plans that went differently, begun minutes ago. */
export function stories(): Story[] {
  const failed = new Refund('failed-tool', 1).untilPaying()
  for (let times = 0; times < 3; times++) failed.call('payments.refund', { error: GATEWAY })
  failed.finish(GATEWAY).end('failed', GATEWAY)

  const model = new Refund('failing-model', 2).begin(0).think('429 rate limit reached')
  model.life.end('cycle', {}, 'ERROR')
  model.finish('429 rate limit reached').end('failed', '429 rate limit reached')

  const asking = new Refund('waiting-for-approval', 3).untilPaying().think()
  asking.life.start('wait', 'wait', 'cycle', {
    [ATTR.waitReason]: 'tool_approval',
    [ATTR.waitTitle]: 'Pay back 120 euros?',
    [ATTR.toolName]: 'payments.refund',
  })

  const running = new Refund('running-now', 4).untilPaying().think()
  running.life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: 'payments.refund' })

  const killed = new Refund('killed', 5, { minutes: 30, [ATTR.heartbeatIntervalMs]: 1_000 }).untilPaying().think()
  killed.life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: 'payments.refund' })
  killed.life.change('plan')

  const taken = new Refund('unsafe-taken', 6)
    .untilPaying()
    .call('payments.refund', { judged: { risk: 0.92, taken: true } })
    .finish()
    .end('completed')
  const stopped = new Refund('unsafe-stopped', 7)
    .untilPaying()
    .call('payments.refund', { judged: { risk: 0.81, taken: false } })
    .finish()
    .end('completed')

  const rejected = new Refund('rejected', 8)
  rejected.life.start('review', 'wait', 'plan', { [ATTR.waitReason]: 'plan_review', [ATTR.reviewAttempt]: 1 })
  const feedback = 'No refunds without a receipt.'
  rejected.life.change('plan', { [ATTR.reviewLog]: JSON.stringify([{ attempt: 1, action: 'ABORT', feedback }]) })
  rejected.life.end('review', { [ATTR.waitActor]: 'reviewer', [ATTR.waitResolution]: 'submitted' })
  rejected.end('cancelled')

  const cancelled = new Refund('cancelled', 9).untilPaying().call('payments.refund')
  cancelled.life.end('agent', { [ATTR.state]: 'cancelled' })
  cancelled.end('cancelled')

  const recovered = new Refund('recovered', 10)
    .untilPaying()
    .call('payments.refund', { error: GATEWAY })
    .call('payments.refund')
    .finish()
    .end('completed')

  const team = new Refund('sub-agents', 11).begin(0, 'lead')
  team.think()
  team.life.start('inner', 'agent', 'cycle', { [ATTR.agentName]: 'researcher' })
  team.life.start('inner cycle', 'think_act', 'inner')
  team.life.start('tool', 'tool', 'inner cycle', { [ATTR.toolName]: 'search' })
  team.life.end('tool', { [ATTR.errorMessage]: 'The index is gone' }, 'ERROR')
  team.life.end('inner cycle')
  team.life.end('inner', { [ATTR.state]: 'failed', [ATTR.errorMessage]: 'The index is gone' }, 'ERROR')
  team.life.end('cycle')
  team.finish().end('completed')

  return [
    failed.story('failed', `payments.refund: ${GATEWAY}, 3 times`, 'Failed\n3', 'Cost\n$0.15'),
    model.story('failed', 'gpt-4.1: 429 rate limit reached', 'Failed\n1'),
    asking.story('waiting', 'asks for approval of payments.refund: Pay back 120 euros?', /for \d+ m/, 'Cost\n$0.09'),
    running.story('running', 'step 3 of 4 Pay back, payer, payments.refund', 'Cost\n$0.09'),
    killed.story('interrupted', 'step 3 of 4 Pay back, payer, payments.refund', 'Interrupted\n1', 'Cost\n$0.09'),
    taken.story('completed', 'unsafe, but done: payments.refund (risk 0.92)', 'Unsafe, but done\n1', 'Cost\n$0.09'),
    stopped.story('completed', 'Stopped\n1', 'Cost\n$0.09'),
    rejected.story('cancelled', feedback),
    cancelled.story('cancelled', 'Cost\n$0.09'),
    recovered.story('completed', `payments.refund: ${GATEWAY}`, 'Failed\n1', 'Cost\n$0.12'),
    team.story('completed', 'search: The index is gone', 'Failed\n1'),
  ]
}
