import fc from 'fast-check'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('', 'null', '{"a":1.0}', 'ü漢😀'))
const planId = fc.constantFrom('plan-1767061562002', 'subplan-1', 'p', ' ', 'ü')
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null })
const id = fc.integer({ min: 0 })
const name = fc.constantFrom('BROWSER_AGENT', 'writer', '')

const local = fc
  .tuple(
    fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
    fc.nat(999_999_999),
  )
  .map(([date, nano]) => ({ date: date.toISOString().slice(0, 19), nano }))

/** As Jackson writes LocalDateTime: seconds and nanoseconds are left out when they are zero. */
const arrayTime = fc
  .oneof(
    local,
    local.map(({ date }) => ({ date, nano: 0 })),
  )
  .map(({ date, nano }) => {
    const [year, month, day, hour, minute, second] = date.split(/\D/).map(Number)
    if (nano > 0) return [year, month, day, hour, minute, second, nano]
    return second === 0 ? [year, month, day, hour, minute] : [year, month, day, hour, minute, second]
  })
const isoTime = local.map(({ date, nano }) => `${date}.${String(nano).padStart(9, '0').slice(0, 6)}`)

const toolInfo = fc.record(
  { name: text, parameters: orNull(text), result: orNull(text), id: text },
  { noNullPrototype: true },
)

const thinkAct = (era: 'E' | 'F') =>
  fc
    .tuple(
      fc.record(
        {
          id,
          parentExecutionId: id,
          thinkStartTime: orNull(arrayTime),
          thinkEndTime: orNull(arrayTime),
          actStartTime: orNull(arrayTime),
          actEndTime: orNull(arrayTime),
          thinkInput: orNull(text),
          thinkOutput: orNull(text),
          actionNeeded: fc.boolean(),
          actionDescription: orNull(text),
          actionResult: orNull(text),
          status: orNull(fc.constantFrom('SUCCESS', 'FAILED')),
          errorMessage: orNull(text),
          inputCharCount: orNull(id),
          outputCharCount: orNull(id),
        },
        { noNullPrototype: true },
      ),
      orNull(id),
      orNull(fc.array(toolInfo, { minLength: 1, maxLength: 3 })),
    )
    .map(([head, modelContextLimit, actToolInfoList]) => ({
      ...head,
      ...(era === 'F' ? { modelContextLimit } : {}),
      toolName: null,
      toolParameters: null,
      actToolInfoList,
    }))

const waitState = fc.record(
  {
    planId: text,
    title: text,
    waiting: fc.boolean(),
    formDescription: orNull(text),
    formInputs: fc.array(
      fc.dictionary(fc.constantFrom('label', 'value', 'name', 'type'), text, { noNullPrototype: true }),
      {
        maxLength: 2,
      },
    ),
  },
  { noNullPrototype: true },
)

interface Parts {
  readonly era: 'E' | 'F'
  readonly depth: number
}

interface Agent {
  readonly thinkActSteps: readonly { readonly actToolInfoList: readonly object[] | null }[]
}

const agent = ({ era, depth }: Parts): fc.Arbitrary<Agent> =>
  fc
    .tuple(
      fc.record(
        {
          id,
          stepId: orNull(text),
          conversationId: orNull(text),
          agentName: orNull(name),
          agentDescription: orNull(text),
          startTime: orNull(arrayTime),
          endTime: orNull(arrayTime),
          maxSteps: id,
          currentStep: id,
          status: orNull(fc.constantFrom('IDLE', 'RUNNING', 'FINISHED')),
          agentRequest: orNull(text),
          result: orNull(text),
          errorMessage: orNull(text),
          modelName: orNull(name),
        },
        { noNullPrototype: true },
      ),
      fc.record(
        { latestMethodName: orNull(text), latestMethodArgs: orNull(text), latestRoundNumber: orNull(id) },
        { noNullPrototype: true },
      ),
      fc.array(thinkAct(era), { maxLength: 3 }),
      depth > 0 ? fc.array(plan({ era, depth: depth - 1 }), { maxLength: 2 }) : fc.constant([]),
      fc.array(fc.nat(20), { minLength: 2, maxLength: 2 }),
    )
    .map(([head, latest, thinkActSteps, subPlans, picks]) => ({
      ...head,
      ...(era === 'F' ? latest : {}),
      thinkActSteps,
      subPlanExecutionRecords: subPlans.map((subPlan, index) => belowCall(subPlan, thinkActSteps, picks[index] ?? 0)),
      completed: head.status === 'FINISHED',
      subPlanCount: subPlans.length,
      running: head.status === 'RUNNING',
      idle: head.status === 'IDLE',
      completedThinkActStepsCount: 0,
    }))

/**
 * Half of the sub-plans name the agent's tool call that started them; the others name no tool call.
 */
function belowCall(subPlan: Plan, thinkActs: Agent['thinkActSteps'], pick: number): object {
  const calls = thinkActs.flatMap(({ actToolInfoList }) => actToolInfoList ?? []) as { id?: string }[]
  const call = pick % 2 === 0 ? calls[pick % Math.max(calls.length, 1)] : undefined
  if (call) return { ...subPlan, toolCallId: call.id, parentActToolCall: call }
  return calls.some(({ id }) => id === subPlan.toolCallId) ? { ...subPlan, toolCallId: null } : subPlan
}

interface Plan {
  readonly currentPlanId: string
  readonly rootPlanId: string
  readonly toolCallId: string | null
  readonly agentExecutionSequence: readonly object[]
}

const plan = ({ era, depth }: Parts): fc.Arbitrary<Plan> =>
  fc
    .record(
      {
        id,
        currentPlanId: planId,
        rootPlanId: planId,
        parentPlanId: orNull(text),
        toolCallId: orNull(text),
        title: orNull(text),
        userRequest: orNull(text),
        startTime: orNull(arrayTime),
        endTime: orNull(arrayTime),
        currentStepIndex: orNull(fc.nat(9)),
        completed: fc.boolean(),
        summary: orNull(text),
        agentExecutionSequence: fc.array(agent({ era, depth }), { maxLength: 3 }),
        userInputWaitState: orNull(waitState),
        modelName: orNull(text),
        parentActToolCall: orNull(toolInfo),
        structureResult: orNull(text),
      },
      { noNullPrototype: true },
    )
    .map((record) => record)

/** A canonical Lynxe record: plan details, sub-plans two levels deep. Era F needs one agent that shows it. */
export const lynxePlan = fc.oneof(
  plan({ era: 'E', depth: 2 }),
  fc.tuple(plan({ era: 'F', depth: 1 }), agent({ era: 'F', depth: 0 })).map(([record, first]) => ({
    ...record,
    agentExecutionSequence: [first, ...record.agentExecutionSequence],
  })),
)

/** A canonical agent-execution document. */
export const lynxeAgent = fc
  .constantFrom('E' as const, 'F' as const)
  .chain((era) => agent({ era, depth: 1 }))
  .filter((record) => (record as { stepId?: string | null }).stepId !== null)

const present = <T extends object>(record: T): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })

const firstThinkAct = fc
  .record({
    id: optional(id),
    parentExecutionId: optional(id),
    thinkStartTime: optional(isoTime),
    thinkEndTime: optional(isoTime),
    actStartTime: optional(isoTime),
    actEndTime: optional(isoTime),
    thinkInput: optional(text),
    thinkOutput: optional(text),
    actionNeeded: optional(fc.boolean()),
    actionDescription: optional(text),
    actionResult: optional(text),
    status: optional(fc.constantFrom('completed', 'SUCCESS', 'FAILED')),
    errorMessage: optional(text),
    toolName: optional(text),
    toolParameters: optional(text),
  })
  .map(present)

const firstAgent = fc
  .record({
    id: optional(id),
    conversationId: optional(text),
    agentName: optional(name),
    agentDescription: optional(text),
    startTime: optional(isoTime),
    endTime: optional(isoTime),
    maxSteps: optional(id),
    currentStep: optional(id),
    status: optional(fc.constantFrom('COMPLETED', 'IN_PROGRESS', 'PENDING', 'ERROR', 'not_started')),
    isCompleted: optional(fc.boolean()),
    isStuck: optional(fc.boolean()),
    agentRequest: optional(text),
    result: optional(text),
    errorMessage: optional(text),
    thinkActSteps: optional(fc.array(firstThinkAct, { minLength: 1, maxLength: 3 })),
  })
  .map(present)

/** A canonical record of the first era, which omits missing values. */
export const firstPlan = fc
  .record({
    id: optional(id),
    planId,
    title: optional(text),
    userRequest: text,
    startTime: optional(isoTime),
    endTime: optional(isoTime),
    currentStepIndex: optional(fc.nat(9)),
    completed: optional(fc.boolean()),
    summary: optional(text),
    steps: optional(fc.array(text, { minLength: 1, maxLength: 3 })),
    agentExecutionSequence: optional(fc.array(firstAgent, { minLength: 1, maxLength: 3 })),
  })
  .map(present)
