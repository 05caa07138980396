import { decidingGeneration, type Generation, type TraceFacts } from '../mapping/index.js'
import { ATTR, isOver } from '../semconv/index.js'
import { type QueryTarget, readGenerations, recordId } from '../store/index.js'

/** The position of a trace among the imports of the same record. */
export interface Standing {
  /** Whether a later import of the record replaces the trace. */
  readonly isSuperseded: boolean
  /** The number of known imports of the record; 0 for a trace that is not an import. */
  readonly generations: number
}

/** The standing of a trace that is not an import. */
export const NO_IMPORT: Standing = { isSuperseded: false, generations: 0 }

/** The standings of some traces, and the other traces whose standing they change. */
export interface Standings {
  readonly of: (traceId: string) => Standing
  readonly changed: readonly string[]
}

/**
 * Compares imports with all other imports of the same records. The stored rows of the `decided` traces are outdated and
 * ignored.
 */
export async function standingsOf(
  target: QueryTarget,
  imports: readonly Import[],
  decided: ReadonlySet<string>,
): Promise<Standings> {
  if (imports.length === 0) return { of: () => NO_IMPORT, changed: [] }
  const written = await readGenerations(target, [...new Set(imports.map(({ key }) => key))])
  const others = written.filter(({ traceId }) => !decided.has(traceId))
  const records = byRecord([...imports, ...others])
  const standings = new Map<string, Standing>()
  for (const { record, traceId } of imports) {
    const generations = records.get(record) ?? []
    const isSuperseded = decidingGeneration(generations)?.traceId !== traceId
    standings.set(traceId, { isSuperseded, generations: generations.length })
  }
  const known = new Set(imports.map(({ record }) => record))
  const changed = others.filter(
    ({ record, traceId, isSuperseded }) =>
      known.has(record) && (decidingGeneration(records.get(record) ?? [])?.traceId !== traceId) !== isSuperseded,
  )
  return {
    of: (traceId) => standings.get(traceId) ?? NO_IMPORT,
    changed: changed.map(({ traceId }) => traceId),
  }
}

type OfRecord = Generation & { readonly record: string }

function byRecord(generations: readonly OfRecord[]): ReadonlyMap<string, readonly OfRecord[]> {
  const records = new Map<string, OfRecord[]>()
  for (const generation of generations) {
    const found = records.get(generation.record)
    if (found) found.push(generation)
    else records.set(generation.record, [generation])
  }
  return records
}

/** An import, and the key of its record. */
export interface Import extends OfRecord {
  readonly key: string
}

/** Returns the import that a trace contains; undefined for other traces. */
export function importOf(traceId: string, { plans }: TraceFacts): Import | undefined {
  const facts = plans.find(({ plan }) => plan.head.span.attributes[ATTR.recordKey] !== undefined)
  if (!facts) return undefined
  const { attributes, pending } = facts.plan.head.span
  const {
    [ATTR.recordDialect]: dialect = '',
    [ATTR.recordSource]: source = '',
    [ATTR.recordKey]: key = '',
  } = attributes
  return {
    traceId,
    record: recordId(dialect, source, key),
    key,
    end: facts.lastSeen,
    isOver: !pending && isOver(facts.state),
    recordSpans: Number(attributes[ATTR.recordSpanCount] ?? 0) || 0,
    mappingVersion: facts.contents.mappingVersion,
    redacted: facts.contents.isRedacted,
    digest: attributes[ATTR.recordDigest] ?? '',
  }
}
