import type { QueryTarget } from '../query.js'

const SETTINGS = { async_insert: 0, distributed_foreground_insert: 1 } as const

/** Notes which traces of imports are superseded by a later import, and which no longer are. */
export async function noteSuperseded(
  { client, database }: QueryTarget,
  traces: readonly { readonly traceId: string; readonly version: bigint; readonly isSuperseded: boolean }[],
): Promise<void> {
  if (traces.length === 0) return
  await client.insert({
    table: `${database}.superseded_imports`,
    values: traces.map(({ traceId, version, isSuperseded }) => ({
      TraceId: traceId,
      Version: String(version),
      Gone: isSuperseded ? 0 : 1,
    })),
    format: 'JSONEachRow',
    clickhouse_settings: SETTINGS,
  })
}

/** Notes which traces the mapping could not read and why, and which it can read again. */
export async function noteFailures(
  { client, database }: QueryTarget,
  traces: readonly { readonly traceId: string; readonly version: bigint; readonly reason: string | undefined }[],
): Promise<void> {
  if (traces.length === 0) return
  await client.insert({
    table: `${database}.index_failures`,
    values: traces.map(({ traceId, version, reason }) => ({
      TraceId: traceId,
      Reason: reason ?? '',
      Version: String(version),
      Gone: reason === undefined ? 1 : 0,
    })),
    format: 'JSONEachRow',
    clickhouse_settings: SETTINGS,
  })
}
