import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

import { append } from '../append.js'
import { traceFacts, type TraceFacts } from '../mapping/index.js'
import type { StoredSpan } from '../semconv/index.js'
import {
  noteFailures,
  noteSuperseded,
  type QueryTarget,
  type RowChanges,
  streamWholeSpans,
  writeRows,
} from '../store/index.js'
import { type KnownRow, type KnownTrace, keyText } from './known-trace.js'
import type { Prices } from './prices.js'
import { isBulk, spansWithRow, traceRows, wholeKey } from './rows/index.js'
import { standingsOf } from './supersede.js'

/** Raised when the rules of the mapping change, so that rows of the same spans replace earlier ones. */
const RULES = 1n

export interface Indexed {
  /** The facts of the traces that the mapping could read. */
  readonly facts: ReadonlyMap<string, TraceFacts>
  /** Other traces whose rows have to change. */
  readonly affected: readonly string[]
  /** The traces that are imports. */
  readonly imports: readonly string[]
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
  const failures = new Map<string, string>()
  for (const trace of traces) {
    const { traceId, rows } = trace
    const begun = performance.now()
    try {
      facts.set(traceId, traceFacts(rows, prices.costOf))
      trace.costMs = performance.now() - begun
    } catch (error) {
      failures.set(traceId, error instanceof Error ? error.message : String(error))
    }
    await setImmediate()
  }
  const standings = await standingsOf(target, facts)
  const read = traces.filter(({ traceId }) => facts.has(traceId))
  const placed = new Map(
    read.map((trace) => [trace, spansWithRow(facts.get(trace.traceId) as TraceFacts, storedIn(trace))] as const),
  )
  const wholeOf = await readWhole(target, placed)
  const changes = { written: [], removed: [] } as {
    written: RowChanges['written'][number][]
    removed: RowChanges['removed'][number][]
  }
  const now = new Map<KnownTrace, Map<string, KnownRow>>()
  const superseded: { traceId: string; version: bigint; isSuperseded: boolean }[] = []
  for (const trace of read) {
    const { traceId } = trace
    const { isSuperseded, generations } = standings.of(traceId)
    const version = versionOf(trace, generations)
    const decided = facts.get(traceId) as TraceFacts
    const { isSettled } = decided
    const rows = traceRows(decided, placed.get(trace) ?? [], {
      traceId,
      isSuperseded,
      storedOf: storedIn(trace),
      wholeOf,
    })
    const known = new Map<string, KnownRow>()
    for (const row of rows) {
      const text = keyText(row.key)
      // A settled trace is let go of: what was written for it is read again if it changes after all.
      const digest = isSettled ? '' : hash('md5', row.values, 'base64')
      known.set(text, { key: row.key, digest })
      if (digest === '' || trace.written.get(text)?.digest !== digest) changes.written.push({ ...row, version })
    }
    for (const [text, { key }] of trace.written) if (!known.has(text)) changes.removed.push({ ...key, version })
    now.set(trace, known)
    if (isSuperseded || generations > 1) superseded.push({ traceId, version, isSuperseded })
  }
  await writeRows(target, changes)
  await noteSuperseded(target, superseded)
  await noteFailed(target, traces, failures)
  for (const [trace, known] of now) trace.written = known
  return {
    facts,
    affected: standings.changed,
    imports: standings.imports,
    failures: failures.size,
    rows: changes.written.length,
  }
}

/** How much is known of a trace: its rows, the imports of its record, then the rules by which rows are made. */
export const versionOf = ({ rows }: KnownTrace, generations: number): bigint =>
  (BigInt(rows.knowledge) << 16n) | (BigInt(Math.min(generations, 255)) << 8n) | RULES

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

async function noteFailed(
  target: QueryTarget,
  traces: readonly KnownTrace[],
  failures: ReadonlyMap<string, string>,
): Promise<void> {
  const noted = traces.filter(({ traceId, hasFailed }) => hasFailed || failures.has(traceId))
  await noteFailures(
    target,
    noted.map((trace) => ({
      traceId: trace.traceId,
      version: versionOf(trace, 0),
      reason: failures.get(trace.traceId),
    })),
  )
  for (const trace of noted) trace.hasFailed = failures.has(trace.traceId)
}
