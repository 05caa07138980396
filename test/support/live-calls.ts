import fc from 'fast-check'
import type {
  AgentOptions,
  AgentSpan,
  AgentValues,
  CycleOptions,
  CycleSpan,
  CycleValues,
  GuardrailOptions,
  GuardrailSpan,
  ModelOptions,
  ModelSpan,
  ModelValues,
  PlanMessage,
  PlanningOptions,
  PlanningSpan,
  PlanOptions,
  PlanSpan,
  PlanUpdate,
  PlanValues,
  ProposedAction,
  ResumeOptions,
  ReviewDecision,
  Risk,
  ToolOptions,
  ToolSpan,
  ToolValues,
  Usage,
  WaitAnswer,
  WaitOptions,
  WaitSpan,
  WorldModel,
} from '../../src/tracing/index.js'

/** The handles of the live API. */
interface Handles {
  readonly plan: PlanSpan
  readonly planning: PlanningSpan
  readonly agent: AgentSpan
  readonly cycle: CycleSpan
  readonly model: ModelSpan
  readonly guardrail: GuardrailSpan
  readonly tool: ToolSpan
  readonly wait: WaitSpan
}

/** A call of a method of a handle. A method that starts a span has the calls of its handle. */
export interface Call {
  readonly method: string
  readonly args: readonly unknown[]
  readonly within?: Within
  /** The pause before the call, milliseconds. */
  readonly after: number
}

/** What happens in a span, and how it ends. */
interface Within {
  readonly calls: readonly Call[]
  readonly end: 'end' | 'fail'
}

/** One run of a plan: its first segment, and those that resume it. */
export interface LiveRun extends Within {
  readonly options: object
  readonly resumes: readonly (Within & { readonly options: object })[]
}

type MethodOf<Handle> = {
  [M in keyof Handle]-?: Handle[M] extends (...args: never) => unknown ? M : never
}[keyof Handle]

/** An arbitrary for each method of each handle: a new method is a type error here. */
type Methods = { readonly [H in keyof Handles]: { readonly [M in MethodOf<Handles[H]>]: fc.Arbitrary<Call> } }

/** An arbitrary for each option: a new option is a type error here. */
type Options<T> = { readonly [K in keyof Required<T>]: fc.Arbitrary<unknown> }

const some = <T>(table: Options<T>): fc.Arbitrary<object> =>
  fc.record<Record<string, unknown>>(table, { requiredKeys: [] })

const word = fc.constantFrom(
  '',
  'a',
  'b',
  'Rome',
  'Error: no',
  '[A] go',
  '{"n": 1.0}',
  '[1, 2]',
  'é\u{1f600}',
  ' \n',
  '\uD800',
)
const count = fc.constantFrom(0, 1, 2, 3, 700)
const flag = fc.boolean()
const score = fc.constantFrom(0, 0.25, 0.8, 1, 7, Number.NaN, Number.POSITIVE_INFINITY)
const ids = fc.constantFrom('x-1', 'x-2', 'x-3')
const anyValue = fc.oneof(word, fc.constantFrom(null, true, 1.5, [], {}, { a: { b: [1, 'c'] } }, ['d', 2]))
const messages = fc.constantFrom(
  [{ role: 'user', content: 'hi' }],
  [{ role: 'assistant', parts: [{ type: 'tool_call', id: 'x-1', name: 'a', arguments: { q: 1 } }] }],
  { role: 'assistant', content: 'ok', tool_calls: [{ id: 'x-2', function: { name: 'b', arguments: '{}' } }] },
)
const said = fc.oneof(anyValue, messages)
const steps = fc.array(fc.oneof(word, fc.constant({ id: 's', title: 't' })), { maxLength: 3 })
const thrown = fc.oneof(
  word,
  word.map((text) => new TypeError(text)),
  fc.constantFrom(undefined, { code: 402 }, new Error('outer', { cause: new RangeError('inner') })),
)

const words = fc.array(word, { maxLength: 2 })
const planValues: Options<PlanValues> = {
  title: word,
  request: said,
  modelName: word,
  topic: word,
  goal: word,
  locale: word,
  context: word,
  assumptions: words,
  risks: words,
  budgetTokens: count,
  budgetCostUsd: score,
}
const agentValues: Options<AgentValues> = {
  description: word,
  request: said,
  maxSteps: count,
  modelName: word,
  currentStep: count,
  stuck: flag,
}
const cycleValues: Options<CycleValues> = {
  actionNeeded: flag,
  actionDescription: word,
  actionResult: word,
  modelContextLimit: count,
}
const modelValues: Options<ModelValues> = {
  model: word,
  provider: word,
  responseModel: word,
  responseId: word,
  finishReasons: words,
  usageSource: fc.constantFrom('world_model', 'policy_guardrail', 'reactive_guardrail', 'agent', 'other'),
  inputTokens: count,
  outputTokens: count,
}
const modelOptions: Options<ModelOptions> = { ...modelValues, input: said, system: said, tools: said }
const toolValues: Options<ToolValues> = { type: word, description: word }
const planningOptions: Options<PlanningOptions> = { planner: word, reason: word }
const waitOptions: Options<WaitOptions> = {
  reason: fc.constantFrom('form_input', 'plan_review', 'tool_approval'),
  title: word,
  formDescription: word,
  formInputs: fc.constantFrom([{ name: 'city', value: 'Rome' }], [], '[{"n":1}]', 'text'),
}
const answer = some<WaitAnswer>({
  resolution: fc.constantFrom('submitted', 'approved', 'refused', 'expired', 'cancelled'),
  actor: word,
  formInputs: fc.constantFrom([{ name: 'city', value: 'Milan' }], 'text'),
})
const review = some<ReviewDecision>({
  action: fc.constantFrom('ACCEPT_PLAN', 'REQUEST_CHANGES', 'ABORT'),
  feedback: word,
  attempt: count,
})
const resumeOptions = some<ResumeOptions>({ answer, review })
const action = some<ProposedAction>({ name: word, callId: ids, arguments: anyValue })
const worldModel = some<WorldModel>({
  semanticDelta: word,
  elementChanges: anyValue,
  longTermImpact: word,
  optimizationGuidance: word,
})
const risk = some<Risk>({
  score,
  isSafe: flag,
  policies: words,
  explanation: word,
  worldModel,
})
const usage = some<Usage>({ input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count })

const captureReturn = fc.boolean()

const OPTIONS = {
  plan: some<PlanOptions>({
    ...planValues,
    workflow: word,
    planId: fc.uuid(),
    conversationId: word,
    steps,
    captureReturn,
  }),
  planning: some(planningOptions),
  agent: some<AgentOptions>({ ...agentValues, name: word, step: count, stepId: ids, captureReturn }),
  cycle: some<CycleOptions>({ ...cycleValues, index: count }),
  model: some(modelOptions),
  guardrail: some<GuardrailOptions>({ name: word, action }),
  // A guardrail of the cycle by its position.
  tool: some<ToolOptions>({
    ...toolValues,
    name: word,
    callId: ids,
    arguments: anyValue,
    guardedBy: fc.nat(1),
    captureReturn,
  }),
  wait: some(waitOptions),
} as const satisfies Record<keyof Handles, fc.Arbitrary<object>>

const after = fc.constantFrom(0, 0, 1, 40)
const end = fc.constantFrom('end' as const, 'end' as const, 'end' as const, 'end' as const, 'fail' as const)

/** Methods after which a span records little or nothing more. */
const CLOSING: ReadonlySet<string> = new Set(['cancel', 'end', 'error', 'fail', 'suspend'])

const call = (method: string, ...args: fc.Arbitrary<unknown>[]): fc.Arbitrary<Call> =>
  fc.record({ method: fc.constant(method), args: fc.tuple(...args), after })

const { plan: planWithin } = fc.letrec<{ readonly [H in keyof Handles]: Within }>((tie) => {
  const starting = (method: string, handle: keyof Handles): fc.Arbitrary<Call> =>
    fc.record({ method: fc.constant(method), args: fc.tuple(OPTIONS[handle]), within: tie(handle), after })
  const handle = { error: call('error', thrown), cancel: call('cancel'), end: call('end'), fail: call('fail', thrown) }
  const waits = { wait: starting('wait', 'wait'), startWait: starting('startWait', 'wait') }
  const models = { model: starting('model', 'model'), startModel: starting('startModel', 'model') }
  const methods: Methods = {
    plan: {
      ...handle,
      ...waits,
      set: call('set', some(planValues)),
      summary: call('summary', word),
      result: call('result', said),
      update: call('update', some<PlanUpdate>({ ...planningOptions, steps })),
      review: call('review', review),
      message: call('message', some<PlanMessage>({ role: word, content: anyValue })),
      planning: starting('planning', 'planning'),
      startPlanning: starting('startPlanning', 'planning'),
      agent: starting('agent', 'agent'),
      startAgent: starting('startAgent', 'agent'),
    },
    planning: { ...handle, ...models, steps: call('steps', steps) },
    agent: {
      ...handle,
      ...waits,
      set: call('set', some(agentValues)),
      result: call('result', said),
      cycle: starting('cycle', 'cycle'),
      startCycle: starting('startCycle', 'cycle'),
    },
    cycle: {
      ...handle,
      ...waits,
      ...models,
      set: call('set', some(cycleValues)),
      guardrail: starting('guardrail', 'guardrail'),
      startGuardrail: starting('startGuardrail', 'guardrail'),
      tool: starting('tool', 'tool'),
      startTool: starting('startTool', 'tool'),
    },
    model: {
      ...handle,
      set: call('set', some(modelValues)),
      input: call('input', said),
      output: call('output', said),
      usage: call('usage', usage),
    },
    guardrail: { ...handle, ...models, risk: call('risk', risk) },
    tool: { ...handle, ...waits, set: call('set', some(toolValues)), result: call('result', anyValue) },
    wait: {
      ...handle,
      set: call('set', some(waitOptions)),
      answer: call('answer', answer),
      review: call('review', review, word),
      suspend: call('suspend'),
    },
  }
  const within = (of: keyof Handles): fc.Arbitrary<Within> => {
    const entries = Object.entries<fc.Arbitrary<Call>>(methods[of])
    const spans = entries.filter(([name]) => name in OPTIONS || name.startsWith('start'))
    const values = entries.filter(([name]) => !(name in OPTIONS) && !name.startsWith('start') && !CLOSING.has(name))
    const closing = entries.filter(([name]) => CLOSING.has(name))
    const any = (found: typeof entries): fc.Arbitrary<Call> => fc.oneof(...found.map(([, arbitrary]) => arbitrary))
    // A plan that starts in the context of any span is a sub-plan.
    const subPlan = { weight: of === 'tool' ? 10 : 1, arbitrary: starting('plan', 'plan') }
    const leaves = { weight: 12, arbitrary: any(values) }
    const last = { weight: 1, arbitrary: any(closing) }
    const inner = spans.length === 0 ? [] : [{ weight: 24, arbitrary: any(spans) }]
    const calls = fc.oneof(
      { depthIdentifier: 'spans', maxDepth: 8, depthSize: 'max' },
      { weight: 1, arbitrary: fc.array(any(values), { maxLength: 2 }) },
      { weight: 9, arbitrary: fc.array(fc.oneof(leaves, last, subPlan, ...inner), { maxLength: 4, size: 'max' }) },
    )
    return fc.record({ calls, end })
  }
  return Object.fromEntries(Object.keys(methods).map((of) => [of, within(of as keyof Handles)])) as {
    [H in keyof Handles]: fc.Arbitrary<Within>
  }
})

/** A run of a plan that may use every method and option of the live API. */
export const liveRun: fc.Arbitrary<LiveRun> = fc
  .tuple(OPTIONS.plan, planWithin, fc.array(fc.tuple(resumeOptions, planWithin), { maxLength: 2 }))
  .map(([options, within, resumes]) => ({
    ...within,
    options,
    resumes: resumes.map(([given, next]) => ({ ...next, options: given })),
  }))
