import type { PlanName } from 'planspan/client'

/** As many as the API compares at once. */
export const MOST_PLANS = 8

/** The plans that a comparison's URL names: as in the API, `trace` and `source` once for each id in their order. */
export function askedPlans(parameters: URLSearchParams): PlanName[] {
  const [traces, sources] = [parameters.getAll('trace'), parameters.getAll('source')]
  return parameters.getAll('id').map((planId, index) => ({
    planId,
    ...(traces[index] ? { trace: traces[index] } : {}),
    ...(sources[index] ? { source: sources[index] } : {}),
  }))
}

/** Where plans are compared. */
export function comparePath(plans: readonly PlanName[]): string {
  const parameters = new URLSearchParams(plans.map(({ planId }) => ['id', planId]))
  for (const key of ['trace', 'source'] as const) {
    if (plans.some((plan) => plan[key])) for (const plan of plans) parameters.append(key, plan[key] ?? '')
  }
  return `/compare?${parameters.toString()}`
}

/** Whether two names are one plan's. */
export const isOne = (one: PlanName, other: PlanName): boolean =>
  one.planId === other.planId && one.trace === other.trace && one.source === other.source
