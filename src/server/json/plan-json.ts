import { isoOf, type DecodedRecord } from '../../mapping/index.js'
import type { PlanSummary } from '../../store/index.js'
import { MAX_MISSING, type PlanJson, type VerdictJson } from '../../wire/index.js'

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

export const toVerdictJson = ({ traceId, verdict, state, gaps, leftOut }: DecodedRecord): VerdictJson => ({
  traceId,
  verdict,
  state,
  missingCount: gaps.length,
  missing: gaps.slice(0, MAX_MISSING),
  leftOut: [...leftOut],
})
