import type { LynxeClient } from './lynxe-client.js'
import { agentsOf, readCycles, readPlan, type Cycles, type LynxePlan } from './lynxe-plan.js'

/** A plan as Lynxe has it now, with the cycles of its agents; or why there is none. */
export type PlanReading = { readonly plan: LynxePlan } | { readonly error: string } | undefined

/**
 * Reads whole plans. Lynxe answers for a plan with its agents, and for each agent with its cycles: an agent that works
 * is asked for each time, one that has ended once.
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
      // Since 2026 Lynxe's answer for a plan has them, too.
      if (!agent.stepId || agent.thinkActSteps?.length || agent.status === 'IDLE') continue
      const cycles = await this.#cyclesOf(planId, agent.stepId, agent.status === 'FINISHED')
      if (cycles) agent.thinkActSteps = cycles
    }
    return { plan }
  }

  /** Forgets a plan of which no more will be asked. */
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
