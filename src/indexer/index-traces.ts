import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

import type { PlacedSpan, TraceFacts } from '../mapping/index.js'
import type { StoredSpan } from '../semconv/index.js'
import {
  noteFailures,
  noteSuperseded,
  type QueryTarget,
  type RowKey,
  streamWholeSpans,
  writeRows,
  type WrittenRow,
} from '../store/index.js'
import { decideTrace } from './decide-trace.js'
import { type KnownRow, type KnownTrace, keyText } from './known-trace.js'
import type { Prices } from './known-prices.js'
import { linkTraces, type TraceEnds } from './linked-traces.js'
import { isBulk, linkRow, spansWithRow, traceRows, wholeKey } from './rows/index.js'
import { type Import, importOf, NO_IMPORT, type Standing, standingsOf } from './supersede.js'
import { usedModels } from './used-models.js'

/**
 * The version of the mapping's rules. Raise it when they change, so that new rows of the same spans replace old ones.
 */
const RULES = 1n
/** The bit that makes the version of a large trace higher than that of its rows before it was large. */
const LARGE = 1n << 60n

export interface Indexed {
  /** The traces that are not expected to have more rows. */
  readonly settled: readonly string[]
  /** The models of the calls of the traces. */
  readonly models: ReadonlySet<string>
  /** Other traces whose rows have to change. */
  readonly affected: readonly string[]
  /** The traces that are imports. */
  readonly imports: readonly string[]
  /** The number of new failures: traces that the mapping could not read as a whole. */
  readonly failures: number
  readonly rows: number
}

/** A trace whose rows need more data from the store: other imports of its record, or the content of its calls. */
interface WaitingTrace {
  readonly trace: KnownTrace
  readonly facts: TraceFacts
  readonly placed: readonly PlacedSpan[]
  /** The spans whose content is needed but was not read. */
  readonly lean: readonly PlacedSpan[]
}

/**
 * Decides the facts of traces and writes the rows that have changed. Until then only the rows are kept, not the facts.
 * Throws the store's errors.
 */
export async function indexTraces(
  target: QueryTarget,
  traces: readonly KnownTrace[],
  prices: Prices,
): Promise<Indexed> {
  const changes = new Changes()
  const decidedIds = new Set<string>()
  const settled: string[] = []
  const models = new Set<string>()
  const imports: Import[] = []
  const waiting: WaitingTrace[] = []
  const ends = new Map<string, TraceEnds>()
  for (const trace of traces) {
    const { traceId } = trace
    if (trace.isLater) {
      changes.removeAll(trace)
      continue
    }
    const begun = performance.now()
    const { facts, failure } = decideTrace(trace, prices.costOf)
    trace.costMs = performance.now() - begun
    if (failure !== undefined) changes.failures.set(trace, failure)
    if (!facts) continue
    decidedIds.add(traceId)
    if (facts.ends.length > 0) ends.set(traceId, { ends: facts.ends, version: versionOf(trace, 0) })
    trace.interruptedAt = firstInterruption(facts)
    if (facts.isSettled) settled.push(traceId)
    for (const model of usedModels(facts)) models.add(model)
    const placed = spansWithRow(facts, storedIn(trace))
    const lean = trace.holdsContent ? [] : placed.filter((one) => isLean(trace, one))
    const ofRecord = importOf(traceId, facts)
    if (ofRecord) imports.push(ofRecord)
    if (ofRecord || lean.length > 0) waiting.push({ trace, facts, placed, lean })
    else changes.add({ trace, facts, placed }, NO_IMPORT)
    await setImmediate()
  }
  const standings = await standingsOf(target, imports, decidedIds)
  for (const group of groupsOf(waiting)) {
    const wholeOf = await readWhole(target, group)
    for (const one of group) changes.add(one, standings.of(one.trace.traceId), wholeOf)
  }
  const { failures, known, written } = changes
  await writeRows(target, changes)
  await noteSuperseded(target, changes.superseded)
  const linked = await linkTraces(target, ends)
  const noted = traces.filter((trace) => trace.written.failure !== failures.get(trace))
  await noteFailures(
    target,
    noted.map((trace) => ({
      traceId: trace.traceId,
      version: versionOf(trace, 0),
      reason: failures.get(trace),
    })),
  )
  for (const trace of traces) {
    trace.written = { rows: known.get(trace) ?? trace.written.rows, failure: failures.get(trace) }
  }
  return {
    settled,
    models,
    affected: [...standings.changed, ...linked],
    imports: imports.map(({ traceId }) => traceId),
    failures: noted.filter((trace) => failures.has(trace)).length,
    rows: written.length,
  }
}

/** Returns the time at which the first of a trace's plans becomes `interrupted`, Unix milliseconds. */
const firstInterruption = ({ plans }: TraceFacts): number =>
  plans.reduce(
    (first, { interruptedAt }) => (interruptedAt === undefined ? first : Math.min(first, Number(interruptedAt) / 1e6)),
    Number.POSITIVE_INFINITY,
  )

/** The rows and failures to write for some traces. */
class Changes {
  readonly written: (WrittenRow & { readonly version: bigint })[] = []
  readonly removed: (RowKey & { readonly version: bigint })[] = []
  readonly superseded: { readonly traceId: string; readonly version: bigint; readonly isSuperseded: boolean }[] = []
  /** The reasons why the mapping could not read a trace as a whole. */
  readonly failures = new Map<KnownTrace, string>()
  /** The rows of each trace, by `keyText`. */
  readonly known = new Map<KnownTrace, ReadonlyMap<string, KnownRow>>()

  /** Removes all rows of a trace, whose plan has rows in another one. */
  removeAll(trace: KnownTrace): void {
    // Higher than the version of the rows from the same spans.
    const version = versionOf(trace, 1)
    for (const { key } of trace.written.rows.values()) this.removed.push({ ...key, version })
    this.known.set(trace, new Map())
  }

  /** Adds the rows of a trace that differ from those that were written for it. */
  add(
    { trace, facts, placed }: Pick<WaitingTrace, 'trace' | 'facts' | 'placed'>,
    { isSuperseded, generations }: Standing,
    wholeOf: ReadonlyMap<string, StoredSpan> = NOTHING_READ,
  ): void {
    const { traceId } = trace
    const version = versionOf(trace, generations)
    const { isSettled, ends } = facts
    let rows: readonly WrittenRow[]
    try {
      rows = [
        ...traceRows(facts, placed, { traceId, isSuperseded, storedOf: storedIn(trace), wholeOf }),
        ...ends.map((end) => linkRow(end, traceId)),
      ]
    } catch (error) {
      this.failures.set(trace, String(error))
      return
    }
    const known = new Map<string, KnownRow>()
    for (const row of rows) {
      const text = keyText(row.key)
      // No digests are kept for a settled trace. If it changes after all, the keys of its rows are read again.
      const digest = isSettled ? '' : hash('md5', row.values, 'base64')
      known.set(text, { key: row.key, digest })
      if (digest === '' || trace.written.rows.get(text)?.digest !== digest) this.written.push({ ...row, version })
    }
    for (const [text, { key }] of trace.written.rows) if (!known.has(text)) this.removed.push({ ...key, version })
    this.known.set(trace, known)
    if (isSuperseded || generations > 1) this.superseded.push({ traceId, version, isSuperseded })
  }
}

const NOTHING_READ: ReadonlyMap<string, StoredSpan> = new Map()

/**
 * Returns the version of a trace's rows, which rises with what is known about the trace. From the highest bit: whether
 * the trace is large, its rows, the imports of its record, and the version of the rules.
 */
export const versionOf = ({ knowledge, isLarge }: KnownTrace, generations: number): bigint =>
  (isLarge ? LARGE : 0n) | (BigInt(knowledge) << 16n) | (BigInt(Math.min(generations, 255)) << 8n) | RULES

const storedIn =
  ({ rows }: KnownTrace) =>
  (spanId: string): StoredSpan | undefined =>
    rows.finals.get(spanId)

/** Whether the content of an ended cycle or call was not read. */
const isLean = (trace: KnownTrace, placed: PlacedSpan): boolean =>
  isBulk(placed) && trace.rows.finals.has(placed.node.span.spanId)

/** The maximum number of spans that are read whole together. A single trace may have more. */
const WHOLE_SPANS = 2_048

/** Groups traces so that a limited number of spans is read whole at once. */
function groupsOf(waiting: readonly WaitingTrace[]): WaitingTrace[][] {
  const groups: WaitingTrace[][] = []
  let spans = Number.POSITIVE_INFINITY
  for (const one of waiting) {
    spans += one.lean.length
    if (spans > WHOLE_SPANS) {
      groups.push([])
      spans = one.lean.length
    }
    groups.at(-1)?.push(one)
  }
  return groups
}

/** Reads the content of ended calls that need a row. */
async function readWhole(
  target: QueryTarget,
  traces: readonly WaitingTrace[],
): Promise<ReadonlyMap<string, StoredSpan>> {
  const lacking = traces.filter(({ lean }) => lean.length > 0)
  if (lacking.length === 0) return NOTHING_READ
  const whole = new Map<string, StoredSpan>()
  const traceIds = lacking.map(({ trace }) => trace.traceId)
  const spanIds = lacking.flatMap(({ lean }) => lean.map(({ node }) => node.span.spanId))
  for await (const spans of streamWholeSpans(target, { traceIds, spanIds })) {
    for (const span of spans) whole.set(wholeKey(span), span)
  }
  return whole
}
