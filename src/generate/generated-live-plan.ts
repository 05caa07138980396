import { ATTR, EVENTS, isDone, LINK_TYPES, PENDING, type Span, type State } from '../semconv/index.js'
import { assembleSpans, draft, hashId, type EventDraft, type SpanDraft } from '../mapping/index.js'
import { Clock, nanosOf, type Random } from './random.js'
import type { GeneratedPlan, PlanSeed } from './generated-plan.js'
import { LiveAgents, type Course } from './live-agents.js'
import { FEEDBACK, MODELS, REVIEWERS, SCENARIOS, type Scenario } from './scenario.js'
import { modelCall, failed, fill, type Usage } from './live-model-call.js'

/** Generates a plan as sent by an agent that uses the live API. */
export function livePlan({ random, start, until }: PlanSeed): GeneratedPlan {
  const scenario = random.pick(SCENARIOS)
  const clock = new Clock(start, until)
  const planId = `plan-${random.uuid()}`
  const root = new LivePlan({ random, clock, scenario, planId, rootPlanId: planId }).draft()
  const spans = assembleSpans(root, { traceId: hashId(planId, 32), planId, rootPlanId: planId, rootAttributes: {} })
  return { service: scenario.service, spans: withSnapshots(withLinks(spans), nanosOf(until)) }
}

interface LivePlanStart {
  readonly random: Random
  readonly clock: Clock
  readonly scenario: Scenario
  readonly planId: string
  readonly rootPlanId: string
}

class LivePlan {
  readonly #start: LivePlanStart
  readonly #events: EventDraft[] = []
  readonly #reviews: { attempt: number; action: string; feedback: string }[] = []
  readonly #children: SpanDraft[] = []
  readonly #usage: Usage = { input: 0, output: 0 }
  readonly #course: Course

  constructor(start: LivePlanStart) {
    this.#start = start
    const { random } = start
    const place = random.next()
    this.#course =
      place < 0.04 ? 'waits' : place < 0.07 ? 'refused' : place < 0.09 ? 'killed' : place < 0.16 ? 'fails' : 'done'
  }

  draft(): SpanDraft {
    const { random, clock, scenario, planId } = this.#start
    const began = clock.nanos
    const subject = random.pick(scenario.subjects)
    const title = `${scenario.workflow}: ${subject}`
    const request = fill(scenario.request, subject)
    const steps = scenario.agents.map(({ name, task }) => `[${name}] ${task}`)
    this.#plan(steps, 1)
    let state: State | undefined = this.#review(steps)
    const agents = new LiveAgents({ ...this.#start, subject, usage: this.#usage })
    if (state === undefined) state = this.#work(agents)
    const { input, output } = this.#usage
    const last = this.#reviews.at(-1)
    return draft(
      'plan',
      {
        workflow: scenario.workflow,
        title,
        request,
        steps,
        revision: this.#children.filter(({ role }) => role === 'planning').length,
        currentStepIndex: Math.max(0, agents.count - 1),
        budgetTokens: random.pick([30_000, 60_000, 120_000]),
        budgetCostUsd: random.pick([0.05, 0.1, 0.25]),
        ...(isDone(state) ? { completed: true } : {}),
        ...(state === 'completed' ? { summary: `Done: ${title}.` } : {}),
        ...(state === 'waiting' ? { waiting: true } : {}),
        ...(input > 0 ? { usageInputTokens: input, usageOutputTokens: output, usageTotalTokens: input + output } : {}),
        ...(last
          ? {
              reviewLog: JSON.stringify(this.#reviews),
              reviewCount: this.#reviews.length,
              reviewFinalAction: last.action,
            }
          : {}),
      },
      {
        subject: scenario.workflow,
        every: {
          ...(state === 'failed' ? failed(agents.error) : {}),
          state,
          conversationId: `conv-${planId.slice(-8)}`,
        },
        start: began,
        end: clock.nanos,
        events: this.#events,
        children: [...this.#children, ...agents.drafts],
      },
    )
  }

  #plan(steps: readonly string[], revision: number): void {
    const { random, clock } = this.#start
    const start = clock.nanos
    const call = modelCall({ random, clock, model: MODELS.large, median: 1400, usage: this.#usage })
    if (clock.isOver) return
    clock.pass(random.skewed(20))
    const reason = this.#reviews.at(-1)?.feedback
    const values = { planner: 'planner', steps, revision, ...(reason === undefined ? {} : { reason }) }
    const name = revision === 1 ? EVENTS.planCreated : EVENTS.planUpdated
    this.#events.push({ name, time: clock.nanos, attributes: { [ATTR.planRevision]: revision } })
    this.#children.push(
      draft('planning', values, {
        subject: 'planner',
        every: { state: 'completed' },
        start,
        end: clock.nanos,
        children: call ? [call] : [],
      }),
    )
  }

  /** A person reviews the plan and may request another. Returns the state if the review ends the plan. */
  #review(steps: readonly string[]): State | undefined {
    const { random, clock, scenario } = this.#start
    if (!scenario.reviewed) return undefined
    for (let attempt = 1; ; attempt++) {
      if (clock.isOver) return 'running'
      const start = clock.nanos
      const asked = { reason: 'plan_review', title: 'Is this plan all right?', reviewAttempt: attempt } as const
      if (this.#course === 'waits') {
        this.#children.push(openWait(asked, start))
        return 'waiting'
      }
      clock.pass(random.skewed(240_000, 1.2))
      if (clock.isOver) {
        this.#children.push(openWait(asked, start))
        return 'waiting'
      }
      const refuses = this.#course === 'refused' && attempt > 1
      const accepts = attempt >= 3 || random.chance(0.7)
      const action = refuses ? 'ABORT' : accepts && this.#course !== 'refused' ? 'ACCEPT_PLAN' : 'REQUEST_CHANGES'
      const feedback = action === 'REQUEST_CHANGES' ? random.pick(FEEDBACK) : ''
      const resolution = { ACCEPT_PLAN: 'approved', REQUEST_CHANGES: 'refused', ABORT: 'cancelled' }[action]
      this.#reviews.push({ attempt, action, feedback })
      this.#events.push({
        name: EVENTS.review,
        time: clock.nanos,
        attributes: {
          [ATTR.reviewAttempt]: attempt,
          [ATTR.reviewAction]: action,
          ...(feedback === '' ? {} : { [ATTR.reviewFeedback]: feedback }),
        },
      })
      const answer = { reviewAction: action, reviewFeedback: feedback, resolution, actor: random.pick(REVIEWERS) }
      this.#children.push(
        draft(
          'wait',
          { ...asked, ...answer, waiting: false },
          {
            every: { state: action === 'ACCEPT_PLAN' ? 'completed' : 'cancelled' },
            start,
            end: clock.nanos,
            children: [],
          },
        ),
      )
      if (action === 'ABORT') return 'cancelled'
      if (action === 'ACCEPT_PLAN') return undefined
      this.#plan(steps, attempt + 1)
    }
  }

  #work(agents: LiveAgents): State {
    const { random, clock, scenario } = this.#start
    const turn = random.integer(0, scenario.agents.length - 1)
    for (const [index, agent] of scenario.agents.entries()) {
      const state = agents.run(agent, index, index === turn ? this.#course : 'done')
      if (state !== 'completed') return state
      clock.pass(random.skewed(50))
      if (clock.isOver) return 'running'
    }
    return 'completed'
  }
}

const openWait = (values: object, start: bigint): SpanDraft =>
  draft('wait', { ...values, waiting: true }, { every: { state: 'waiting' }, start, end: start, children: [] })

/** Links a judged tool call to its guardrail. */
function withLinks(spans: readonly Span[]): Span[] {
  const guardrails = new Map<string, string>()
  for (const { attributes, parentSpanId, spanId } of spans) {
    if (attributes[ATTR.spanKind] === 'guardrail') guardrails.set(parentSpanId, spanId)
  }
  return spans.map((span) => {
    const spanId = span.attributes[ATTR.spanKind] === 'tool' ? guardrails.get(span.parentSpanId) : undefined
    if (spanId === undefined) return span
    const attributes = { [ATTR.linkType]: LINK_TYPES.guards }
    return { ...span, links: [{ traceId: span.traceId, spanId, attributes }] }
  })
}

/** Writes spans that are still open at the end as snapshots. */
function withSnapshots(spans: readonly Span[], until: bigint): Span[] {
  return spans.map((span) => {
    const { attributes, endTimeUnixNano, spanId, parentSpanId } = span
    if (endTimeUnixNano < until || attributes[ATTR.state] === 'waiting') return span
    const own = Object.entries(attributes).filter(([key]) => !key.startsWith(ATTR.childrenPrefix))
    return {
      ...span,
      spanId: hashId(`${spanId}:0`, 16),
      parentSpanId: spanId,
      attributes: {
        ...Object.fromEntries(own),
        [ATTR.spanState]: PENDING,
        [ATTR.pendingSpanId]: spanId,
        [ATTR.pendingParentSpanId]: parentSpanId,
        [ATTR.snapshotSeq]: 0,
      },
    }
  })
}
