import type { PlanName } from 'planspan/client'

/** The maximum number of plans that the API compares. */
export const MAX_PLANS = 8

/** Returns the plans in a comparison's URL: as in the API, `trace` and `source` are repeated for each id, in order. */
export function plansOfComparison(parameters: URLSearchParams): PlanName[] {
  const [traces, sources] = [parameters.getAll('trace'), parameters.getAll('source')]
  return parameters.getAll('id').map((planId, index) => ({
    planId,
    ...(traces[index] ? { trace: traces[index] } : {}),
    ...(sources[index] ? { source: sources[index] } : {}),
  }))
}

/** Returns the path that compares plans. */
export function comparePath(plans: readonly PlanName[]): string {
  const parameters = new URLSearchParams(plans.map(({ planId }) => ['id', planId]))
  for (const key of ['trace', 'source'] as const) {
    if (plans.some((plan) => plan[key])) for (const plan of plans) parameters.append(key, plan[key] ?? '')
  }
  return `/compare?${parameters.toString()}`
}

/** Whether two names identify the same plan. */
export const isSamePlan = (one: PlanName, other: PlanName): boolean =>
  one.planId === other.planId && one.trace === other.trace && one.source === other.source
