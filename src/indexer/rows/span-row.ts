import {
  errorTextOf,
  isUnfinished,
  judgementOf,
  type PlacedSpan,
  stateTextOf,
  usageRoleOf,
} from '../../mapping/index.js'
import { dateTime, type SpanRowValues } from '../../store/index.js'
import { rawDurationOf, maybeTime, parentIdOf } from './json-values.js'

export interface SpanRowOptions {
  /** The time at which the state becomes `interrupted` unless more spans arrive, Unix nanoseconds. */
  readonly interruptedAt: bigint | undefined
  /** Whether an ended row of `otel_traces` describes the same span. */
  readonly isReplacement: boolean
  /** All attributes of the span, including the content that the indexer does not keep. */
  readonly attributes: Readonly<Record<string, string>>
}

/** Returns the row of a span. */
export function spanRow(
  { node, plan }: PlacedSpan,
  { interruptedAt, isReplacement, attributes }: SpanRowOptions,
): Omit<SpanRowValues, 'Version' | 'Gone'> {
  const judgement = judgementOf(node)
  const { span, role } = node
  return {
    Role: role ?? '',
    Timestamp: dateTime(span.startTimeUnixNano),
    TraceId: span.traceId,
    SpanId: span.spanId,
    ParentSpanId: parentIdOf(node),
    ServiceName: span.serviceName,
    Duration: rawDurationOf(node),
    SpanAttributes: attributes,
    PlanId: plan.planId,
    RootPlanId: plan.rootPlanId,
    State: stateTextOf(node),
    InterruptedAt: maybeTime(interruptedAt),
    Ended: !isUnfinished(node),
    Error: errorTextOf(node),
    UsageRole: role === 'llm' ? usageRoleOf(node) : '',
    IsJudgement: judgement !== undefined,
    Unsafe: judgement?.isUnsafe ?? false,
    Taken: judgement?.isTaken ?? null,
    TakenAt: maybeTime(judgement?.takenAt),
    JudgedTool: judgement?.tool ?? '',
    Replaces: isReplacement,
  }
}
