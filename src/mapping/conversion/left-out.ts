import { PlanspanError } from '../../error.js'
import { ATTR, type StoredSpan } from '../../semconv/index.js'
import { assembleSpans } from '../assemble-spans.js'
import { DIALECTS, type DialectName, readRecord } from '../dialects/index.js'
import { showStoppedActions } from '../faults/index.js'
import type { JsonNode } from '../json/index.js'
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
export function leftOutOf(node: SpanNode, document: JsonNode, format: DialectName): LeftOut[] {
  const held = factsOf(spansIn(document, format))
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

/** The ids of spans that are only counted. */
const COUNTED = { traceId: '1'.repeat(32), planId: 'counted', rootPlanId: 'counted' }

/** Returns the spans that a document is read as. An empty list holds no record. */
function spansIn(document: JsonNode, format: DialectName): StoredSpan[] {
  if (document.kind === 'array' && document.items.length === 0) return []
  try {
    const { draft, era } = readRecord(DIALECTS[format], document, { timeZone: 'UTC', digest: '', ordinal: 0 })
    const rootAttributes = { [ATTR.recordDialect]: format, [ATTR.recordEra]: era }
    return assembleSpans(draft, { ...COUNTED, rootAttributes }).map(toStoredSpan)
  } catch (error) {
    // A format of lines has none for a plan without any of its facts.
    if (error instanceof PlanspanError) return []
    throw error
  }
}
