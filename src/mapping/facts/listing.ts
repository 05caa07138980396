import { ATTR } from '../../semconv/index.js'
import { isPlanLike } from '../adopt/index.js'
import type { TracePlan, TracePlans } from './trace-plans.js'
import { walk } from '../tree/index.js'

/** Where a plan is listed: among all plans, among those of its own trace only, or as a part of another plan. */
export type Listing = 'listed' | 'of trace' | 'part'

/**
 * Returns where each plan of a trace is listed: of an imported record the record's own plan; otherwise outermost plans,
 * and sub-plans whose outermost plan is not stored. Model calls of another instrumentation alone are no plan for lists.
 */
export function listingsOf({ plans }: TracePlans): ReadonlyMap<TracePlan, Listing> {
  const isImport = plans.some(isRecord)
  const ids = new Set(plans.map(({ planId }) => planId))
  const listingOf = (plan: TracePlan): Listing => {
    const { planId, rootPlanId } = plan
    const isTop = isImport ? isRecord(plan) : planId === rootPlanId || !ids.has(rootPlanId)
    if (!isTop) return 'part'
    return isForeign(plan) && !doesMoreThanCallModels(plan) ? 'of trace' : 'listed'
  }
  return new Map(plans.map((plan) => [plan, listingOf(plan)]))
}

/** Whether a plan is an imported record itself. */
export const isRecord = ({ head }: TracePlan): boolean => head.span.attributes[ATTR.recordDialect] !== undefined

const isForeign = ({ head }: TracePlan): boolean => head.span.attributes[ATTR.adoptedConvention] !== undefined

/** Whether an agent, a tool or something like a plan was reported, not only model calls. */
function doesMoreThanCallModels({ head }: TracePlan): boolean {
  for (const { role, span } of walk(head)) {
    if (role === 'tool') return true
    if ((role === 'agent' || role === 'plan') && span.attributes[ATTR.adoptedMadeUp] === undefined) return true
    if (role === undefined && isPlanLike(span)) return true
  }
  return false
}
