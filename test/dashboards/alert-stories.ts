import { ATTR } from '../../src/semconv/index.js'
import { planAttributes, type PlanSpanFields, type TestSpan } from '../store/spans.js'

const MINUTE = 60_000

/** A span below another one, from and to the given minutes before noon, with a role and attributes. */
export type Part = readonly [id: string, above: string, from: number, to: number, role: string, more?: Attributes]
type Attributes = Readonly<Record<string, string>>

/** A plan with its parts, and whether it fires the alert. */
export interface Story {
  readonly fires: boolean
  readonly plan: Omit<PlanSpanFields, 'planId'>
  readonly parts: readonly Part[]
}

const idOf = (...parts: readonly string[]) => Buffer.from(parts.join('/')).toString('hex')

/** The spans of a story. Its name is the service and the plan. */
export function spansOf(name: string, { plan, parts }: Story): TestSpan[] {
  const traceId = idOf(name).padStart(32, '0').slice(-32)
  const spanIdOf = (id: string) => (id === '' ? '' : idOf(id).padStart(16, '0').slice(-16))
  const whole: Part = ['plan', '', 3000, 1, 'plan', planAttributes({ planId: name, ...plan })]
  return [whole, ...parts].map(([id, above, from, to, role, more]) => ({
    traceId,
    spanId: spanIdOf(id),
    parentSpanId: spanIdOf(above),
    name: id,
    service: name,
    start: -from * MINUTE,
    duration: Math.round((from - to) * MINUTE),
    attributes: role === '' ? more! : { [ATTR.spanKind]: role, [ATTR.planId]: name, [ATTR.planRootId]: name, ...more },
  }))
}

const cycle: readonly Part[] = [
  ['agent', 'plan', 120, 1, 'agent'],
  ['cycle', 'agent', 120, 1, 'think_act'],
]

/** A guardrail that judges `pay`, by default from five minutes before noon. */
const judged = (more: Attributes, from = 5): Part => [
  'guard',
  'cycle',
  from,
  from - 0.1,
  'guardrail',
  { [ATTR.guardrailName]: 'world', [ATTR.riskActionName]: 'pay', ...more },
]
const pay = (from = 4, to = 3): Part => ['pay', 'cycle', from, to, 'tool', { [ATTR.toolName]: 'pay' }]

const TAKEN = { [ATTR.riskActionTaken]: 'true' }
const UNSAFE = { [ATTR.riskIsSafe]: 'false' }
const SAFE = { [ATTR.riskIsSafe]: 'true' }
const VIOLATED = { [ATTR.riskViolatedPolicyIds]: '["P1"]' }
const score = (value: number) => ({ [ATTR.riskScore]: String(value) })

const risky = (fires: boolean, ...parts: readonly Part[]): Story => ({
  fires,
  plan: { state: 'completed' },
  parts: [...cycle, ...parts],
})

export const RISKS: Readonly<Record<string, Story>> = {
  'unsafe, no score': risky(true, judged({ ...UNSAFE, ...TAKEN })),
  'unsafe, low score': risky(true, judged({ ...UNSAFE, ...TAKEN, ...score(0.2) })),
  'unsafe, then called': risky(true, judged(UNSAFE), pay()),
  policies: risky(true, judged({ ...VIOLATED, ...TAKEN })),
  'high score': risky(true, judged({ ...score(0.8), ...TAKEN })),
  'judged long before': risky(true, judged(UNSAFE, 60), pay()),
  'judged long after': risky(true, judged({ ...UNSAFE, ...TAKEN }, 5), pay(60, 59)),
  'a long call': risky(true, judged(UNSAFE, 61), pay(60, 2)),
  foreign: {
    fires: true,
    plan: { state: 'completed' },
    parts: [
      ['run', '', 30, 1, '', { 'openinference.span.kind': 'AGENT' }],
      ['rail', 'run', 5, 4.9, '', { 'openinference.span.kind': 'GUARDRAIL', 'output.value': '{"is_safe":false}' }],
      ['tool', 'run', 4, 3, '', { 'openinference.span.kind': 'TOOL', 'tool.name': 'pay' }],
    ],
  },
  'safe, high score': risky(false, judged({ ...SAFE, ...TAKEN, ...score(0.9) }), pay()),
  'safe, policies': risky(false, judged({ ...SAFE, ...TAKEN, ...VIOLATED }), pay()),
  stopped: risky(false, judged({ ...UNSAFE, ...score(0.9), [ATTR.riskActionTaken]: 'false' })),
  'not called': risky(false, judged({ ...UNSAFE, ...score(0.9) })),
  unknown: risky(false, ['guard', 'plan', 5, 4, 'guardrail', { ...UNSAFE, ...score(0.9) }]),
  'long ago': risky(false, judged(UNSAFE, 60), pay(59, 58)),
  'low score': risky(false, judged({ ...score(0.5), ...TAKEN })),
  repeated: risky(false, judged({ ...UNSAFE, ...TAKEN, [ATTR.riskRepeated]: 'true' })),
}

const waits = (fires: boolean, plan: Story['plan'], ...parts: readonly Part[]): Story => ({ fires, plan, parts })
const OPEN = { state: 'waiting' }
const wait = (reason: string, from: number, more: Attributes = {}): Part => [
  `wait ${reason}`,
  'plan',
  from,
  from - 0.1,
  'wait',
  { [ATTR.state]: 'waiting', [ATTR.waitReason]: reason, ...more },
]

export const WAITS: Readonly<Record<string, Story>> = {
  input: waits(true, OPEN, wait('form_input', 61)),
  approval: waits(true, OPEN, wait('tool_approval', 120, { [ATTR.toolName]: 'pay' })),
  review: waits(true, OPEN, wait('plan_review', 2900)),
  'two waits': waits(true, OPEN, wait('form_input', 20), wait('tool_approval', 90)),
  'after an answer': waits(true, OPEN, wait('form_input', 300, { [ATTR.state]: 'completed' }), wait('plan_review', 70)),
  'below an agent': waits(true, OPEN, ...cycle, [...wait('form_input', 80)].with(1, 'cycle') as unknown as Part),
  short: waits(false, OPEN, wait('form_input', 20)),
  answered: waits(false, { state: 'completed' }, wait('form_input', 120, { [ATTR.state]: 'completed' })),
  ended: waits(false, { state: 'completed' }, wait('form_input', 120)),
  failed: waits(false, { state: 'failed' }, wait('form_input', 120)),
  cancelled: waits(false, { state: 'cancelled' }, wait('form_input', 120)),
  imported: waits(false, { ...OPEN, record: { dialect: 'plan-execution', key: 'k' } }, wait('form_input', 120)),
}
