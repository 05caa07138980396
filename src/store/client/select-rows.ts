import type { ClickHouseClient } from '@clickhouse/client'

/** Reads the rows of a query. Throws the client's errors. */
export async function selectRows<Row>(
  client: ClickHouseClient,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> {
  const result = await client.query({ query, query_params: params, format: 'JSONEachRow' })
  return result.json<Row>()
}
