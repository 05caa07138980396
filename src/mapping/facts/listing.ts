import { ATTR } from '../../semconv/index.js'
import { isPlanLike } from '../adopt/index.js'
import type { TracePlan, TracePlans } from './trace-plans.js'
import { walk } from '../tree/index.js'

/** Where a plan is listed: among all plans, only among those of its trace, or as a part of another plan. */
export type Listing = 'listed' | 'of trace' | 'part'

/**
 * Returns where each plan of a trace is listed. An imported record lists its own plan. Otherwise root plans are listed,
 * and sub-plans whose root plan is not stored. Foreign model calls alone are not listed as a plan.
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

/** Whether a plan is the imported record itself. */
export const isRecord = ({ head }: TracePlan): boolean => head.span.attributes[ATTR.recordDialect] !== undefined

const isForeign = ({ head }: TracePlan): boolean => head.span.attributes[ATTR.adoptedConvention] !== undefined

/** Whether an agent, a tool or a foreign plan was reported, not only model calls. */
function doesMoreThanCallModels({ head }: TracePlan): boolean {
  for (const { role, span } of walk(head)) {
    if (role === 'tool') return true
    if ((role === 'agent' || role === 'plan') && span.attributes[ATTR.adoptedMadeUp] === undefined) return true
    if (role === undefined && isPlanLike(span)) return true
  }
  return false
}
