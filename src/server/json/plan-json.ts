import { isoOf, type DecodedRecord } from '../../mapping/index.js'
import { isOver, type State } from '../../semconv/index.js'
import type { HeadlineRemark, PlanSummary } from '../../store/index.js'
import { MAX_MISSING, type PlanJson, type RemarkJson, type VerdictJson } from '../../wire/index.js'

/** Converts a plan summary to its JSON. */
export function toPlanJson(plan: PlanSummary): PlanJson {
  const { planId, traceId, live, redacted, state, serviceName, spans, errors, failures, tokens, unsafeTaken } = plan
  const { stepCount, stepsBegun, stepsCompleted, inputTokens, outputTokens, cacheReadTokens } = plan
  const { waitingSinceUnixNano: waiting } = plan
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
    waitingSince: waiting === undefined ? null : isoOf(waiting),
    stepCount,
    stepsBegun,
    stepsCompleted,
    currentStep: plan.currentStep || null,
    headline: plan.headline.map((remark) => remarkJson(remark, state)),
    spans,
    errors,
    failures,
    tokens,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    costUsd: plan.costUsd ?? null,
    risk: plan.risk ?? null,
    unsafeTaken,
  }
}

const remarkJson = ({ kind, text, spanId, sinceUnixNano }: HeadlineRemark, state: State): RemarkJson => ({
  kind,
  text,
  spanId,
  since: sinceUnixNano === undefined || isOver(state) ? null : isoOf(sinceUnixNano),
})

export const toVerdictJson = ({ traceId, verdict, state, gaps, leftOut }: DecodedRecord): VerdictJson => ({
  traceId,
  verdict,
  state,
  missingCount: gaps.length,
  missing: gaps.slice(0, MAX_MISSING),
  leftOut: [...leftOut],
})
