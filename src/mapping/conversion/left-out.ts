import { PlanspanError } from '../../error.js'
import type { StoredSpan } from '../../semconv/index.js'
import type { DialectName } from '../dialects/index.js'
import { type EncodedRecord, encodeRecords } from '../encode-records.js'
import { showStoppedActions } from '../faults/index.js'
import { buildForest, foldSpans, nodesOf, type SpanNode, toStoredSpan, walk } from '../tree/index.js'
import { countFacts, type FactKind } from './fact-kinds.js'

/** The facts of one kind that a conversion does not hold. */
export interface LeftOut {
  readonly kind: FactKind
  /** How many facts are left out. */
  readonly count: number
  /** How many there are. */
  readonly of: number
}

/**
 * Returns what a converted record does not hold of the spans at and below a node. The record is read back, as an import
 * reads it, and its facts are counted.
 */
export function leftOutOf(node: SpanNode, text: string, format: DialectName): LeftOut[] {
  const held = factsOf(recordsIn(text, format).flatMap(({ spans }) => spans.map(toStoredSpan)))
  return [...countFacts(walk(node))].flatMap(([kind, of]) => {
    const count = of - (held.get(kind) ?? 0)
    return count > 0 ? [{ kind, count, of }] : []
  })
}

/** Counts the facts of each kind in the stored spans of a trace. */
export function factsOf(spans: Iterable<StoredSpan>): ReadonlyMap<FactKind, number> {
  const roots = buildForest(foldSpans(spans))
  for (const root of roots) showStoppedActions(root)
  return countFacts(nodesOf(roots))
}

/** An empty file holds no record: a format of lines has none for a plan without any of its facts. */
function recordsIn(text: string, format: DialectName): EncodedRecord[] {
  try {
    return [...encodeRecords(new TextEncoder().encode(text), { format })]
  } catch (error) {
    if (error instanceof PlanspanError) return []
    throw error
  }
}
