import type { LynxeClient } from './lynxe-client.js'
import { agentsOf, readCycles, readPlan, type Cycles, type LynxePlan } from './lynxe-plan.js'

/** A plan as Lynxe reports it now, with the cycles of its agents; or the reason why it is missing. */
export type PlanReading = { readonly plan: LynxePlan } | { readonly error: string } | undefined

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
