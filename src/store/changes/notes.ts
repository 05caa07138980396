import { storeError } from '../client/store-error.js'
import { type QueryTarget, readRows } from '../client/query.js'
import type { SpanSource } from './span-source.js'

/** Notes which traces of imports are superseded by a later import, and which no longer are. */
export async function noteSuperseded(
  target: QueryTarget,
  traces: readonly { readonly traceId: string; readonly version: bigint; readonly isSuperseded: boolean }[],
): Promise<void> {
  if (traces.length === 0) return
  await insert(
    target,
    'superseded_imports',
    traces.map(({ traceId, version, isSuperseded }) => ({
      TraceId: traceId,
      Version: String(version),
      Gone: isSuperseded ? 0 : 1,
    })),
  )
}

/** Notes which traces the mapping could not read and why, and which it can read again. */
export async function noteFailures(
  target: QueryTarget,
  traces: readonly { readonly traceId: string; readonly version: bigint; readonly reason: string | undefined }[],
): Promise<void> {
  if (traces.length === 0) return
  await insert(
    target,
    'index_failures',
    traces.map(({ traceId, version, reason }) => ({
      TraceId: traceId,
      Reason: reason ?? '',
      Version: String(version),
      Gone: reason === undefined ? 1 : 0,
    })),
  )
}

async function insert(target: QueryTarget, table: string, values: readonly object[]): Promise<void> {
  const { client, database } = target
  try {
    await client.insert({
      table: `${database}.${table}`,
      values,
      format: 'JSONEachRow',
      clickhouse_settings: { async_insert: 0, distributed_foreground_insert: 1, skip_unavailable_shards: 0 },
    })
  } catch (error) {
    throw storeError(error, target)
  }
}

/** Reads why the mapping could not read some traces. */
export async function readFailures(target: QueryTarget, traceIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await readRows<{ traceId: string; reason: string }>(
    target,
    `SELECT TraceId AS traceId, Reason AS reason FROM ${target.database}.index_failures FINAL
     WHERE TraceId IN {traceIds:Array(String)}`,
    { traceIds: [...traceIds] },
  )
  return new Map(rows.map(({ traceId, reason }) => [traceId, reason]))
}

/** A span name of a service, and the range of the starts of its spans, Unix nanoseconds. */
export interface ServiceOperation {
  readonly serviceName: string
  readonly name: string
  readonly kind: string
  start: bigint
  end: bigint
}

/** Notes the span names of services, on the server that stores the spans. */
export async function noteOperations(
  target: QueryTarget,
  { isSharded }: SpanSource,
  operations: readonly ServiceOperation[],
): Promise<void> {
  const { client, database } = target
  try {
    await client.insert({
      table: `${database}.${isSharded ? 'service_operations_local' : 'service_operations'}`,
      columns: ['ServiceName', 'SpanName', 'SpanKind', 'Start', 'End'],
      values: operations.map(({ serviceName, name, kind, start, end }) => [
        serviceName,
        name,
        kind,
        secondsOf(start),
        secondsOf(end),
      ]),
      format: 'JSONCompactEachRow',
      clickhouse_settings: { async_insert: 0, max_partitions_per_insert_block: '0' },
    })
  } catch (error) {
    throw storeError(error, target)
  }
}

/** The last second of a DateTime. */
const LAST_SECOND = 2 ** 32 - 1

const secondsOf = (nanos: bigint): number => Math.max(0, Math.min(Number(nanos / 1_000_000_000n), LAST_SECOND))
