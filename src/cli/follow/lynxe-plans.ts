import { createHash } from 'node:crypto'
import { z } from 'zod'

import type { Conversation, LynxeClient } from './lynxe-client.js'
import type { FollowState } from './state-file.js'

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
type LynxeAgent = z.output<typeof AGENT>
type Cycles = z.output<typeof CYCLES>

/** Parses Lynxe's response for a plan; undefined for another document. */
function readPlan(text: string): LynxePlan | undefined {
  const value = jsonOf(text)
  // Not the validated copy, whose keys are in another order.
  return PLAN.safeParse(value).success ? (value as LynxePlan) : undefined
}

/** Parses the cycles in Lynxe's response for an agent. */
function readCycles(text: string): Cycles | undefined {
  const value = jsonOf(text)
  return AGENT.safeParse(value).success ? ((value as LynxeAgent).thinkActSteps ?? undefined) : undefined
}

/** The agents of a plan and of all its sub-plans. */
function* agentsOf({ agentExecutionSequence }: LynxePlan): Generator<LynxeAgent> {
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

/**
 * The ids of a server's plans. Lynxe lists its newest conversations only, so each call also reads one of the older
 * conversations, to find plans that begin in them.
 */
export class PlanList {
  readonly #client: LynxeClient
  readonly #state: FollowState
  #turn = 0

  constructor(client: LynxeClient, state: FollowState) {
    this.#client = client
    this.#state = state
  }

  async read(): Promise<string[]> {
    const listed = await this.#client.conversations()
    const ids = new Set(listed.map(({ id }) => id))
    const older = this.#state.conversations.filter((id) => !ids.has(id))
    const asked = older[this.#turn++ % Math.max(1, older.length)]
    const found = asked === undefined ? undefined : await this.#client.conversation(asked)
    this.#state.conversations = [...older.filter((id) => id !== asked || found), ...ids]
    return [...listed, ...(found ? [found] : [])].flatMap(plansOf)
  }
}

/** The plans of a conversation, without plain chats. */
const plansOf = ({ planIds }: Conversation): string[] => planIds.filter((id) => !id.startsWith('chat-'))

/** A plan as Lynxe reports it now, with the cycles of its agents; or the reason why it is missing. */
type PlanReading = { readonly plan: LynxePlan } | { readonly error: string } | undefined

/**
 * Reads whole plans. Lynxe returns a plan with its agents, and each agent's cycles separately: a running agent is read
 * each time, an ended agent once.
 */
export class PlanReader {
  readonly #client: LynxeClient
  /** The cycles of ended agents, by plan and step. */
  readonly #ended = new Map<string, Map<string, Cycles>>()

  constructor(client: LynxeClient) {
    this.#client = client
  }

  async read(planId: string): Promise<PlanReading> {
    const answer = await this.#client.details(planId)
    if (!answer || 'error' in answer) return answer
    const plan = readPlan(answer.text)
    if (!plan) return { error: answer.text }
    for (const agent of agentsOf(plan)) {
      // Since 2026, Lynxe's response for a plan contains them.
      if (!agent.stepId || agent.thinkActSteps?.length || agent.status === 'IDLE') continue
      const cycles = await this.#cyclesOf(planId, agent.stepId, agent.status === 'FINISHED')
      if (cycles) agent.thinkActSteps = cycles
    }
    return { plan }
  }

  /** Drops the cached data of a plan that is not requested any more. */
  forget(planId: string): void {
    this.#client.forget([planId, ...(this.#ended.get(planId)?.keys() ?? [])])
    this.#ended.delete(planId)
  }

  async #cyclesOf(planId: string, stepId: string, hasEnded: boolean): Promise<Cycles | undefined> {
    const known = this.#ended.get(planId)?.get(stepId)
    if (known) return known
    const text = await this.#client.agentExecution(stepId)
    const cycles = text === undefined ? undefined : readCycles(text)
    if (!hasEnded || !cycles) return cycles
    const ended = this.#ended.get(planId) ?? new Map<string, Cycles>()
    this.#ended.set(planId, ended.set(stepId, cycles))
    return cycles
  }
}
