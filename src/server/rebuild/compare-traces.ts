import {
  comparePlans,
  isoOf,
  planTotals,
  planTree,
  pricedBy,
  joinAgents,
  stepsWithoutCycles,
  type ModelPrice,
} from '../../mapping/index.js'
import { ATTR, type StoredSpan } from '../../semconv/index.js'
import type { SelectedTrace, SpanReader } from '../../store/index.js'
import type { ComparedPlan, ComparisonJson } from '../../wire/index.js'
import type { RowReader } from './work.js'

/** A plan, or an agent by its step, with the trace selected for its id. */
export interface Candidate {
  /** The id of the plan or step: that of the first trace, where a plan goes on in other traces. */
  readonly id: string
  readonly kind: 'plan' | 'step'
  readonly trace: SelectedTrace
}

export interface CompareTask {
  /** The plans to compare, the first with each of the others. */
  readonly plans: readonly Candidate[]
  /** The prices of models by their names. */
  readonly prices: ReadonlyMap<string, ModelPrice>
  readonly now: bigint
  /** The range of rows to return. */
  readonly from: number
  readonly limit: number
}

/** Compares plans, each from the spans of its trace; or returns which plan is missing. */
export async function compareTraces(
  { plans, prices, now, from, limit }: CompareTask,
  reader: RowReader,
): Promise<ComparisonJson | { readonly missing: Candidate }> {
  const costOfCall = pricedBy(prices)
  const trees: SpanTree[] = []
  for (const plan of plans) {
    const { id, kind, trace } = plan
    const spans = await readJoined(reader, trace)
    const asPlan = kind === 'plan' ? planTree(spans, { planId: id, now }) : undefined
    // In traces of other instrumentations, a sub-plan and an agent can have the same id.
    const tree = asPlan ?? (kind === 'step' || trace.byTraceId ? planTree(spans, { stepId: id, now }) : undefined)
    if (!tree) return { missing: plan }
    trees.push(tree)
  }
  return {
    plans: trees.map((tree, index): ComparedPlan => {
      const { traceId, attributes, startTimeUnixNano } = tree.span
      const { live = true, dialect = '', source = '' } = plans[index]?.trace ?? {}
      return {
        id: plans[index]?.id ?? '',
        traceId,
        dialect: live ? null : dialect,
        source: live ? null : source,
        title: attributes[ATTR.planTitle] ?? null,
        startTime: isoOf(startTimeUnixNano),
        ...planTotals(tree, costOfCall),
      }
    }),
    comparisons: comparePlans(trees, { costOfCall, from, limit }).map((comparison, index) => ({
      other: index + 1,
      ...comparison,
      nextFrom: from + limit < comparison.rowCount ? from + limit : null,
    })),
  }
}

type SpanTree = NonNullable<ReturnType<typeof planTree>>

/** The only dialect that keeps an agent's cycles in a document of their own. */
const DIALECT = 'plan-execution'

/**
 * Reads the spans of a trace, together with the cycles of its agents that other records of the same source hold. Throws
 * as the reader does.
 */
export async function readJoined(
  reader: Pick<SpanReader, 'readTrace' | 'findAgentTraces'>,
  { traceId, live, dialect, source }: SelectedTrace,
): Promise<readonly StoredSpan[]> {
  let spans: readonly StoredSpan[] = await reader.readTrace(traceId)
  if (live || dialect !== DIALECT) return spans
  const asked = new Set<string>()
  for (;;) {
    const stepIds = stepsWithoutCycles(spans).filter((stepId) => !asked.has(stepId))
    if (stepIds.length === 0) return spans
    for (const stepId of stepIds) asked.add(stepId)
    for (const donor of await reader.findAgentTraces({ stepIds, dialect, source })) {
      if (donor !== traceId) spans = joinAgents(spans, await reader.readTrace(donor))
    }
  }
}
