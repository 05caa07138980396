import type { ClickHouseClient } from '@clickhouse/client'

import { narrow } from '../../../src/otlp/index.js'
import { createStoreClient } from '../../../src/store/client/client.js'
import { createSpanWriter, type SpanWriter, type SpanWriterOptions } from '../../../src/store/ingest/index.js'
import { migrate } from '../../../src/store/schema/migrate.js'
import { freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'

export interface Landing extends FreshDatabase {
  readonly client: ClickHouseClient
  writer(options?: Partial<SpanWriterOptions>): SpanWriter
  /** The stored spans in ClickHouse's JSONEachRow format, sorted. */
  rows(): Promise<string[]>
  /** The 22 columns of each stored span: maps as pairs, times and durations as decimal text; sorted by their JSON. */
  values(): Promise<unknown[][]>
  /** One value in ClickHouse's TSV format. */
  scalar(query: string): Promise<string>
  count(table?: string): Promise<number>
  command(query: string): Promise<void>
}

const PAIRS = 'Array(Tuple(String, String))'
const VALUES = `
  toString(toUnixTimestamp64Nano(Timestamp)), TraceId, SpanId, ParentSpanId, TraceState, SpanName, SpanKind, ServiceName,
  CAST(ResourceAttributes, '${PAIRS}'), ScopeName, ScopeVersion, CAST(SpanAttributes, '${PAIRS}'), toString(Duration),
  StatusCode, StatusMessage, arrayMap(t -> toString(toUnixTimestamp64Nano(t)), Events.Timestamp), Events.Name,
  arrayMap(a -> CAST(a, '${PAIRS}'), Events.Attributes), Links.TraceId, Links.SpanId, Links.TraceState,
  arrayMap(a -> CAST(a, '${PAIRS}'), Links.Attributes)`

export const sortRows = (rows: readonly unknown[][]): unknown[][] =>
  rows
    .map((row) => ({ row, order: JSON.stringify(row) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ row }) => row)

const LOG_VALUES = `
  toString(toUnixTimestamp64Nano(Timestamp)), TraceId, SpanId, TraceFlags, SeverityText, SeverityNumber, Body, ServiceName,
  ResourceSchemaUrl, CAST(ResourceAttributes, '${PAIRS}'), ScopeSchemaUrl, ScopeName, ScopeVersion,
  CAST(ScopeAttributes, '${PAIRS}'), CAST(LogAttributes, '${PAIRS}'), EventName`

/** The 16 columns of each stored log record: maps as pairs, times as decimal text; sorted by their JSON. */
export async function logRows({ client, database }: Landing): Promise<unknown[][]> {
  const query = `SELECT ${LOG_VALUES} FROM ${database}.otel_logs`
  return sortRows(await (await client.query({ query, format: 'JSONCompactEachRow' })).json<unknown[]>())
}

/** A separate database for the test, with planspan's schema and the landing tables. */
export async function freshLanding(): Promise<Landing> {
  const fresh = await freshDatabase()
  const { url, database } = fresh
  const client = createStoreClient({ url })
  await migrate(client, { database })
  const read = async (query: string) => {
    const { stream } = await client.exec({ query })
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }
  return {
    ...fresh,
    client,
    writer: (options) => createSpanWriter({ client, url, database, narrow, retryDelayMs: 10, ...options }),
    rows: async () => {
      const text = await read(
        `SELECT * FROM ${database}.otel_traces FORMAT JSONEachRow SETTINGS output_format_json_quote_64bit_integers = 0`,
      )
      return text.split('\n').filter(Boolean).sort()
    },
    values: async () => {
      const text = await read(`SELECT ${VALUES} FROM ${database}.otel_traces FORMAT JSONCompactEachRow`)
      return sortRows(
        text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as unknown[]),
      )
    },
    scalar: async (query) => (await read(`${query} FORMAT TSV`)).trimEnd(),
    count: async (table = 'otel_traces') => Number(await read(`SELECT count() FROM ${database}.${table} FORMAT TSV`)),
    command: async (query) => {
      await client.command({ query })
    },
    drop: async () => {
      await client.close()
      await fresh.drop()
    },
  }
}
