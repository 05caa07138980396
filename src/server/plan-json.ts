import { isoOf } from '../mapping/index.js'
import type { PlanSummary } from '../store/index.js'

/** A plan summary as the HTTP interface writes it. */
export interface PlanJson {
  planId: string
  /** Null when the spans name none. */
  rootPlanId: string | null
  traceId: string
  /** Whether an instrumented agent sent it; the others are imported records. */
  live: boolean
  /** The imported record's; null on a live plan. */
  dialect: string | null
  source: string | null
  digest: string | null
  redacted: boolean
  /** The state of planspan, and the source system's own word for it. */
  state: string
  status: string | null
  name: string | null
  title: string | null
  request: string | null
  serviceName: string
  /** ISO 8601 in UTC, up to nanoseconds. */
  startTime: string
  endTime: string
  durationMs: number
  spans: number
  errors: number
}

/** A row of the list of plans. */
export function toPlanJson(plan: PlanSummary): PlanJson {
  const { planId, traceId, live, redacted, state, serviceName, spans, errors } = plan
  return {
    planId,
    rootPlanId: plan.rootPlanId || null,
    traceId,
    live,
    dialect: live ? null : plan.dialect,
    source: live ? null : plan.source,
    digest: live ? null : plan.digest,
    redacted,
    state,
    status: plan.status || null,
    name: plan.name || null,
    title: plan.title || null,
    request: plan.request || null,
    serviceName,
    startTime: isoOf(plan.startTimeUnixNano),
    endTime: isoOf(plan.endTimeUnixNano),
    durationMs: Number(plan.endTimeUnixNano - plan.startTimeUnixNano) / 1e6,
    spans,
    errors,
  }
}
