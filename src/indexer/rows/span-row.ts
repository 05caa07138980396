import { errorMessageOf, judgementOf, type PlacedSpan, stateTextOf, usageRoleOf } from '../../mapping/index.js'
import { ATTR } from '../../semconv/index.js'
import type { SpanRowValues } from '../../store/index.js'
import { spanColumns } from './span-columns.js'

export interface SpanRowOptions {
  /** When the state becomes `interrupted` unless more arrives, Unix nanoseconds. */
  readonly interruptedAt: bigint | undefined
  /** Whether an ended row of `otel_traces` describes the same span. */
  readonly isReplacement: boolean
  /** All attributes of the span, with the content that the indexer does not keep. */
  readonly attributes: Readonly<Record<string, string>>
}

/** The row of a span. */
export function spanRow(
  { node, plan }: PlacedSpan,
  { interruptedAt, isReplacement, attributes }: SpanRowOptions,
): Omit<SpanRowValues, 'Version' | 'Gone'> {
  const judgement = node.role === 'guardrail' ? judgementOf(node) : undefined
  return {
    ...spanColumns(node),
    SpanAttributes: attributes,
    Role: node.role ?? '',
    SpanName: node.span.name,
    PlanId: plan.planId,
    RootPlanId: plan.rootPlanId,
    Convention: node.span.attributes[ATTR.adoptedConvention] ?? '',
    State: stateTextOf(node),
    InterruptedAt: interruptedAt,
    Error: errorMessageOf(node),
    UsageRole: node.role === 'llm' ? usageRoleOf(node) : '',
    IsJudgement: judgement !== undefined,
    Taken: judgement?.isTaken,
    JudgedTool: judgement?.tool ?? '',
    Replaces: isReplacement,
  }
}
