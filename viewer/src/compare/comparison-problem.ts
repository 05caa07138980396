import type { PlanName } from 'planspan/client'

import { isSamePlan, MAX_PLANS } from './compare-path.js'

/** The reason why a comparison cannot be requested. */
export interface ComparisonProblem {
  readonly title: string
  readonly reason: string
}

/** Returns why a comparison cannot be requested, and what to do; undefined if it can be requested. */
export function comparisonProblem(names: readonly PlanName[]): ComparisonProblem | undefined {
  const given = names.filter(({ planId }) => planId !== '')
  if (given.length < 2) {
    const reason = 'Enter the ids of two plans. In the list, press x to mark plans for comparison.'
    return { title: 'Which plans?', reason: given.length === 1 ? `A comparison needs two plans. ${reason}` : reason }
  }
  if (given.length > MAX_PLANS) {
    return {
      title: 'Too many plans',
      reason: `A comparison can contain at most ${MAX_PLANS} plans, not ${given.length}.`,
    }
  }
  const duplicate = given.find((name, index) => given.findIndex((one) => isSamePlan(one, name)) < index)
  if (!duplicate) return undefined
  return {
    title: 'The same plan twice',
    reason: `${duplicate.planId} is listed more than once. Enter the id of another plan.`,
  }
}
