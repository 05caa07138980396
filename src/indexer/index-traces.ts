import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

import { append } from '../append.js'
import type { TraceFacts } from '../mapping/index.js'
import type { StoredSpan } from '../semconv/index.js'
import {
  noteFailures,
  noteSuperseded,
  type QueryTarget,
  type RowChanges,
  streamWholeSpans,
  writeRows,
  type WrittenRow,
} from '../store/index.js'
import { decideTrace } from './decide-trace.js'
import { type KnownRow, type KnownTrace, keyText } from './known-trace.js'
import type { Prices } from './prices.js'
import { isBulk, spansWithRow, traceRows, wholeKey } from './rows/index.js'
import { standingsOf } from './supersede.js'

/** Raised when the rules of the mapping change, so that rows of the same spans replace earlier ones. */
const RULES = 1n
/** Above the rows of all smaller traces. */
const LARGE = 1n << 60n

export interface Indexed {
  /** The facts of the traces that the mapping could read, as a whole or by their outline. */
  readonly facts: ReadonlyMap<string, TraceFacts>
  /** Other traces whose rows have to change. */
  readonly affected: readonly string[]
  /** The traces that are imports. */
  readonly imports: readonly string[]
  /** Traces that the mapping newly could not read as a whole. */
  readonly failures: number
  readonly rows: number
}

/** Decides all about some traces and writes the rows that have changed. Throws the store's errors. */
export async function indexTraces(
  target: QueryTarget,
  traces: readonly KnownTrace[],
  prices: Prices,
): Promise<Indexed> {
  const facts = new Map<string, TraceFacts>()
  const failures = new Map<KnownTrace, string>()
  for (const trace of traces) {
    const begun = performance.now()
    const decided = decideTrace(trace, prices.costOf)
    trace.costMs = performance.now() - begun
    if (decided.facts) facts.set(trace.traceId, decided.facts)
    if (decided.failure !== undefined) failures.set(trace, decided.failure)
    await setImmediate()
  }
  const standings = await standingsOf(target, facts)
  const read = traces.filter(({ traceId }) => facts.has(traceId))
  const placed = new Map(
    read.map((trace) => [trace, spansWithRow(facts.get(trace.traceId) as TraceFacts, storedIn(trace))] as const),
  )
  const wholeOf = await readWhole(target, placed)
  const written: RowChanges['written'][number][] = []
  const removed: RowChanges['removed'][number][] = []
  const now = new Map<KnownTrace, Map<string, KnownRow>>()
  const superseded: { traceId: string; version: bigint; isSuperseded: boolean }[] = []
  for (const trace of read) {
    const { traceId } = trace
    const { isSuperseded, generations } = standings.of(traceId)
    const version = versionOf(trace, generations)
    const decided = facts.get(traceId) as TraceFacts
    const { isSettled } = decided
    const storedOf = storedIn(trace)
    let rows: readonly WrittenRow[]
    try {
      rows = traceRows(decided, placed.get(trace) ?? [], { traceId, isSuperseded, storedOf, wholeOf })
    } catch (error) {
      failures.set(trace, String(error))
      continue
    }
    const known = new Map<string, KnownRow>()
    for (const row of rows) {
      const text = keyText(row.key)
      // A settled trace is let go of: what was written for it is read again if it changes after all.
      const digest = isSettled ? '' : hash('md5', row.values, 'base64')
      known.set(text, { key: row.key, digest })
      if (digest === '' || trace.written.rows.get(text)?.digest !== digest) written.push({ ...row, version })
    }
    for (const [text, { key }] of trace.written.rows) if (!known.has(text)) removed.push({ ...key, version })
    now.set(trace, known)
    if (isSuperseded || generations > 1) superseded.push({ traceId, version, isSuperseded })
  }
  await writeRows(target, { written, removed })
  await noteSuperseded(target, superseded)
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
    trace.written = { rows: now.get(trace) ?? trace.written.rows, failure: failures.get(trace) }
  }
  return {
    facts,
    affected: standings.changed,
    imports: standings.imports,
    failures: noted.filter((trace) => failures.has(trace)).length,
    rows: written.length,
  }
}

/**
 * How much is known of a trace: whether it is large, then its rows, the imports of its record, and the rules by which
 * rows are made.
 */
export const versionOf = ({ rows, isLarge }: KnownTrace, generations: number): bigint =>
  (isLarge ? LARGE : 0n) | (BigInt(rows.knowledge) << 16n) | (BigInt(Math.min(generations, 255)) << 8n) | RULES

const storedIn =
  ({ rows }: KnownTrace) =>
  (spanId: string): StoredSpan | undefined =>
    rows.finals.get(spanId)

/** Reads the content of ended calls that need a row of their own. */
async function readWhole(
  target: QueryTarget,
  placed: ReadonlyMap<KnownTrace, ReturnType<typeof spansWithRow>>,
): Promise<Map<string, StoredSpan>> {
  const traceIds: string[] = []
  const spanIds: string[] = []
  for (const [trace, spans] of placed) {
    const lean = trace.holdsContent
      ? []
      : spans.filter((one) => isBulk(one) && storedIn(trace)(one.node.span.spanId) !== undefined)
    if (lean.length === 0) continue
    traceIds.push(trace.traceId)
    append(
      spanIds,
      lean.map(({ node }) => node.span.spanId),
    )
  }
  const whole = new Map<string, StoredSpan>()
  if (spanIds.length === 0) return whole
  for await (const spans of streamWholeSpans(target, { traceIds, spanIds })) {
    for (const span of spans) whole.set(wholeKey(span), span)
  }
  return whole
}
