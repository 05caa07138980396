import { isoOf } from '../mapping/index.js'
import type { PlanSummary } from '../store/index.js'

/** A plan summary as the HTTP interface writes it. */
export interface PlanJson {
  planId: string
  /** Null when the spans name none. */
  rootPlanId: string | null
  traceId: string
  /** Whether the plan was sent by an instrumented agent; otherwise it is an imported record. */
  live: boolean
  /** The imported record's dialect, source and digest; null on a live plan. */
  dialect: string | null
  /** The convention of another instrumentation's trace, such as `openinference`; null on a plan of planspan's own. */
  convention: string | null
  source: string | null
  digest: string | null
  redacted: boolean
  /** planspan's state, followed by the source system's own word for it. */
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

/** Converts a plan summary to its JSON. */
export function toPlanJson(plan: PlanSummary): PlanJson {
  const { planId, traceId, live, redacted, state, serviceName, spans, errors } = plan
  return {
    planId,
    rootPlanId: plan.rootPlanId || null,
    traceId,
    live,
    dialect: live ? null : plan.dialect,
    convention: plan.convention || null,
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
