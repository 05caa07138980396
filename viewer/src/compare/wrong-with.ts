import type { PlanName } from 'planspan/client'

import { isOne, MOST_PLANS } from './asked-plans.js'

export interface Wrong {
  readonly title: string
  readonly reason: string
}

/** Returns why a comparison cannot be requested, and what to do; undefined if it can. */
export function wrongWith(names: readonly PlanName[]): Wrong | undefined {
  const given = names.filter(({ planId }) => planId !== '')
  if (given.length < 2) {
    const reason = 'Name two plans by their ids. In the list, x marks plans to compare.'
    return { title: 'Which plans?', reason: given.length === 1 ? `One plan alone. ${reason}` : reason }
  }
  if (given.length > MOST_PLANS) {
    return { title: 'Too many plans', reason: `At most ${MOST_PLANS} plans are compared at once, not ${given.length}.` }
  }
  const twice = given.find((name, index) => given.findIndex((one) => isOne(one, name)) < index)
  if (!twice) return undefined
  return {
    title: 'One plan twice',
    reason: `${twice.planId} is named more than once, and is the same as itself. Name another one.`,
  }
}
