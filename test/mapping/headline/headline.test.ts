import { expect, test } from 'vitest'

import { traceFacts } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { PlanLife } from '../../support/plan-life.js'

const IDS = { traceId: 'a'.repeat(32), planId: 'plan-1' }
const STEPS = JSON.stringify([{ title: 'Check the order' }, { title: 'Pay back' }, { title: 'Write to the customer' }])
const BAD_GATEWAY = { [ATTR.errorType]: 'HttpError', [ATTR.errorMessage]: '502 from gateway, request 9f86d081884c7d65' }

/** A plan of three steps whose second step is at work. */
class Story extends PlanLife {
  #calls = 0

  constructor() {
    super(IDS)
    this.start('plan', 'plan', undefined, { [ATTR.planStepsJson]: STEPS })
    this.start('payer', 'agent', 'plan', { [ATTR.agentName]: 'payer', [ATTR.stepIndex]: '1' })
    this.start('cycle', 'think_act', 'payer')
  }

  call(tool: string, parent = 'cycle'): string {
    const name = `call ${this.#calls++}`
    this.start(name, 'tool', parent, { [ATTR.toolName]: tool })
    return name
  }

  /** A call that fails, three times, with an id in each message. */
  retry(tool: string): void {
    for (const id of ['9f86d081884c7d65', 'a3c1b7e2d4f60718', '0123456789abcdef']) {
      this.end(this.call(tool), { ...BAD_GATEWAY, [ATTR.errorMessage]: `502 from gateway, request ${id}` }, 'ERROR')
    }
  }

  judge(tool: string, taken: boolean, score = '0.9'): void {
    this.start(`judge ${tool}`, 'guardrail', 'cycle', { [ATTR.riskActionName]: tool })
    const found = { [ATTR.riskScore]: score, [ATTR.riskIsSafe]: 'false', [ATTR.riskActionTaken]: String(taken) }
    this.end(`judge ${tool}`, found)
  }

  ask(attributes: Record<string, string>): void {
    this.start('wait', 'wait', 'plan', { [ATTR.state]: 'waiting', ...attributes })
  }

  endAll(state: string, error: Record<string, string> = {}): void {
    const status = state === 'failed' ? 'ERROR' : 'UNSET'
    for (const name of ['cycle', 'payer', 'plan']) this.end(name, { [ATTR.state]: state, ...error }, status)
  }

  get headline(): (readonly [kind: string, text: string])[] {
    const [plan] = traceFacts(this.stored, () => undefined).plans
    return (plan?.headline ?? []).map(({ kind, text }) => [kind, text])
  }
}

type Play = (story: Story) => void

const STORIES: readonly (readonly [name: string, play: Play, remarks: readonly [kind: string, text: string][]])[] = [
  ['a plan that has ended as planned has none', (story) => story.endAll('completed'), []],
  [
    'failures that differ by an id are counted, with the step that failed',
    (story) => {
      story.retry('payments.refund')
      story.endAll('failed', { [ATTR.errorMessage]: '502 from gateway, request 0123456789abcdef' })
    },
    [['fault', 'payments.refund: 502 from gateway, request 9f86d081884c7d65, 3 times; step 2 Pay back failed']],
  ],
  [
    'what ended the plan comes first, then the most frequent failure; others are counted',
    (story) => {
      story.end(story.call('search'), { [ATTR.errorMessage]: 'Not found.' }, 'ERROR')
      story.retry('payments.refund')
      story.end(story.call('mail'), { [ATTR.errorMessage]: 'No such address.' }, 'ERROR')
      story.endAll('failed', { [ATTR.errorMessage]: 'The gateway is down.' })
    },
    [
      ['fault', 'payer: The gateway is down; step 2 Pay back failed'],
      ['fault', 'payments.refund: 502 from gateway, request 9f86d081884c7d65, 3 times; 2 more failures'],
    ],
  ],
  [
    'a failure without a message',
    (story) => {
      story.end(story.call('search'), {}, 'ERROR')
      story.endAll('completed')
    },
    [['fault', 'search failed without a message']],
  ],
  [
    'a running plan: its step, agent and innermost call, then what failed before',
    (story) => {
      story.retry('payments.refund')
      story.call('payments.status')
    },
    [
      ['activity', 'step 2 of 3 Pay back, payer, payments.status'],
      ['fault', 'payments.refund: 502 from gateway, request 9f86d081884c7d65, 3 times'],
    ],
  ],
  [
    'a plan that has no call at work',
    (story) => story.end(story.call('search')),
    [['activity', 'step 2 of 3 Pay back, payer']],
  ],
  [
    'a plan that waits: what is asked',
    (story) =>
      story.ask({
        [ATTR.waitReason]: 'tool_approval',
        [ATTR.toolName]: 'payments.refund',
        [ATTR.waitTitle]: 'Refund 120 EUR?',
      }),
    [['wait', 'asks for approval of payments.refund: Refund 120 EUR?']],
  ],
  [
    'an unsafe action that was taken, not one that was stopped',
    (story) => {
      story.judge('payments.refund', true, '0.7')
      story.judge('payments.close', false)
      story.endAll('completed')
    },
    [['unsafe', 'unsafe, but done: payments.refund (risk 0.7)']],
  ],
  [
    'a cancelled plan: the work that was cut off',
    (story) => {
      story.end(story.call('payments.refund'), { [ATTR.state]: 'cancelled' })
      story.endAll('cancelled')
    },
    [['activity', 'step 2 of 3 Pay back, payer, payments.refund']],
  ],
]

test.each(STORIES)('%s', (_name, play, remarks) => {
  const story = new Story()
  play(story)
  expect(story.headline).toEqual(remarks)
})
