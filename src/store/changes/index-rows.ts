import { type AnyField, ATTR, EVENTS, FIELD_TABLES, PENDING, type Role, type StoredSpan } from '../../semconv/index.js'
import { OF_TRACES, querySql, type QueryTarget, streamBytes } from '../client/query.js'
import { WHOLE } from '../records/read-rows.js'
import { parseRows, readSpans, toStoredSpan, type SpanRow } from '../records/read-spans.js'
import { fillSql, listLiteral } from '../client/sql-file.js'
import type { SpanSource } from './span-source.js'

/** The roles with many spans in a long plan. Their content is not indexed. */
export const BULK_ROLES = ['think_act', 'llm', 'tool'] as const satisfies readonly Role[]

const CONTENT_KEYS = [
  ATTR.residual,
  ...BULK_ROLES.flatMap((role) => Object.values<AnyField>(FIELD_TABLES[role]))
    .filter(({ content }) => content)
    .map(({ key }) => key),
]

const IS_LEAN = `span.Role IN ${listLiteral(BULK_ROLES)} AND span.SpanState != '${PENDING}'`

const noEvents = (events: string): string =>
  `if(${IS_LEAN} AND NOT has(${WHOLE.names}, '${EVENTS.exception}'), [], ${events})`

/** Spans without the content of ended cycles and calls, and without their events unless one is an exception. */
const LEAN = {
  attributes: `if(${IS_LEAN}, mapFilter((key, value) -> key NOT IN ${listLiteral([...new Set(CONTENT_KEYS)])}, ${WHOLE.attributes}), ${WHOLE.attributes})`,
  times: noEvents(WHOLE.times),
  names: noEvents(WHOLE.names),
  details: noEvents(WHOLE.details),
}

/** Parts of the span table, and the blocks to read from them. */
export interface FreshBlocks {
  readonly parts: readonly string[]
  /** The last block that was indexed. */
  readonly after: number
}

/** Some rows of fresh blocks. */
export interface FreshRows {
  readonly spans: readonly StoredSpan[]
  /** The parts that contain the rows. */
  readonly parts: ReadonlySet<string>
}

/**
 * Streams the rows of later blocks of some parts, without the content of ended calls. A part that was merged before the
 * read is missing. Errors: `store_unreachable`, `clickhouse_failed`.
 */
export async function* streamFreshRows(
  target: QueryTarget,
  { table }: SpanSource,
  { parts, after }: FreshBlocks,
): AsyncGenerator<FreshRows, void, undefined> {
  const pieces = streamIndexRows(target, {
    spans: `${target.database}.${table}`,
    among: '_part IN {parts:Array(String)} AND _block_number > {after:UInt64}',
    params: { parts: [...parts], after: String(after) },
    isWhole: false,
    part: '_part',
  })
  for await (const rows of parseRows<SpanRow>(pieces)) {
    yield { spans: rows.map(toStoredSpan), parts: new Set(rows.map((row) => row[PART] ?? '')) }
  }
}

/** The position of the part in a row of `queries/index_rows.sql`. */
const PART = 19

/** Streams all rows of some traces, without the content of ended calls unless they are to be `whole`. */
export const streamTraceRows = (
  target: QueryTarget,
  traceIds: readonly string[],
  { isWhole }: { readonly isWhole: boolean },
): AsyncGenerator<StoredSpan[], void, undefined> =>
  readSpans(
    streamIndexRows(target, {
      spans: `${target.database}.otel_traces`,
      among: OF_TRACES,
      params: { traceIds: [...traceIds] },
      isWhole,
    }),
  )

/** Streams the whole rows of some spans. */
export const streamWholeSpans = (
  target: QueryTarget,
  { traceIds, spanIds }: { readonly traceIds: readonly string[]; readonly spanIds: readonly string[] },
): AsyncGenerator<StoredSpan[], void, undefined> =>
  readSpans(
    streamIndexRows(target, {
      spans: `${target.database}.otel_traces`,
      among: `${OF_TRACES} AND SpanId IN {spanIds:Array(String)}`,
      params: { traceIds: [...traceIds], spanIds: [...spanIds] },
      isWhole: true,
    }),
  )

interface IndexRows {
  /** The table. */
  readonly spans: string
  /** The condition on its rows, as SQL. */
  readonly among: string
  readonly params: Readonly<Record<string, unknown>>
  readonly isWhole: boolean
  /** The part of a row, as SQL. @default an empty text */
  readonly part?: string
}

function streamIndexRows(target: QueryTarget, { spans, among, params, isWhole, part = "''" }: IndexRows) {
  const sql = querySql('index_rows', {
    ...(isWhole ? WHOLE : LEAN),
    spans,
    resource: 'map()',
    part,
    among: fillSql(among, { database: target.database }),
  })
  return streamBytes(target, sql, params)
}
