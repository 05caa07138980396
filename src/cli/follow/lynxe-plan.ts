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

/** A plan of Lynxe, with the keys that decide what to request next. */
export type LynxePlan = z.output<typeof PLAN>
export type LynxeAgent = z.output<typeof AGENT>
export type Cycles = z.output<typeof CYCLES>

/** Parses Lynxe's response for a plan; undefined for another document. */
export function readPlan(text: string): LynxePlan | undefined {
  const value = jsonOf(text)
  // Not the validated copy, whose keys are in another order.
  return PLAN.safeParse(value).success ? (value as LynxePlan) : undefined
}

/** Parses the cycles in Lynxe's response for an agent. */
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

/** The SHA-256 of a plan, without the values that differ between two reads of the same plan. */
export function digestOf(plan: LynxePlan): string {
  return createHash('sha256').update(JSON.stringify(plan, withoutReadingTime)).digest('hex')
}

/** In versions that store no times, a cycle's only time is the moment of the request. */
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
