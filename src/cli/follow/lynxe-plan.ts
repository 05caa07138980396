import { createHash } from 'node:crypto'
import { z } from 'zod'

const CYCLES = z.array(z.looseObject({}))
const AGENT = z.looseObject({
  stepId: z.string().nullish(),
  status: z.string().nullish(),
  thinkActSteps: CYCLES.nullish(),
  get subPlanExecutionRecords() {
    return z.array(PLAN).nullish()
  },
})
const PLAN = z.looseObject({
  completed: z.boolean().nullish(),
  summary: z.string().nullish(),
  endTime: z.unknown(),
  get agentExecutionSequence() {
    return z.array(AGENT).nullish()
  },
})

/** A plan as Lynxe tells of it: the keys that decide what to ask next. */
export type LynxePlan = z.output<typeof PLAN>
export type LynxeAgent = z.output<typeof AGENT>
export type Cycles = z.output<typeof CYCLES>

/** Lynxe's answer for a plan; undefined where it is another document. */
export function readPlan(text: string): LynxePlan | undefined {
  const value = jsonOf(text)
  // Not what the check returns, whose keys are in another order.
  return PLAN.safeParse(value).success ? (value as LynxePlan) : undefined
}

/** The cycles in Lynxe's answer for an agent. */
export function readCycles(text: string): Cycles | undefined {
  const value = jsonOf(text)
  return AGENT.safeParse(value).success ? ((value as LynxeAgent).thinkActSteps ?? undefined) : undefined
}

/** The agents of a plan and of all its sub-plans. */
export function* agentsOf({ agentExecutionSequence }: LynxePlan): Generator<LynxeAgent> {
  for (const agent of agentExecutionSequence ?? []) {
    yield agent
    for (const plan of agent.subPlanExecutionRecords ?? []) yield* agentsOf(plan)
  }
}

/** The SHA-256 of a plan without what differs between two readings of the same plan. */
export function digestOf(plan: LynxePlan): string {
  return createHash('sha256').update(JSON.stringify(plan, withoutReadingTime)).digest('hex')
}

/** A cycle's only time is the moment at which Lynxe was asked, in the versions that store none. */
function withoutReadingTime(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  if (key !== 'thinkStartTime') return value
  const { thinkEndTime, actStartTime, actEndTime } = this
  return (thinkEndTime ?? actStartTime ?? actEndTime ?? undefined) === undefined ? undefined : value
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
