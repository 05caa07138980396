import {
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSpan,
  type ClickHouseTracer,
} from '@clickhouse/client'
import type { Span } from '@opentelemetry/api'

import { fail, startOwnSpan } from '../../base/own-spans.js'
import { isMisread, shownUrl } from '../../base/shown-url.js'
import { PlanspanError } from '../../error.js'
import { ENCODING_ADVICE, storeError } from './store-error.js'

export interface StoreClientOptions {
  /** `http[s]://[user[:password]@]host[:port]` of a ClickHouse server's HTTP interface. */
  url: string
  /** The default database of queries. @default the default database of the user */
  database?: string
  /** The time limit for one request, milliseconds. @default 300_000 */
  requestTimeoutMs?: number
  /** Whether queries skip the shards that do not respond. @default false: such queries fail */
  skipsShards?: boolean
}

/**
 * A slow reader of a large trace occupies a connection: with the client's default of ten, inserts would have to wait.
 */
const MAX_CONNECTIONS = 128

/** A client of the ClickHouse at a URL; it connects on the first request. Throws `usage` for an invalid URL. */
export function createStoreClient({
  url,
  database,
  requestTimeoutMs = 300_000,
  skipsShards = false,
}: StoreClientOptions): ClickHouseClient {
  return createClient({
    ...parseUrl(url),
    ...(database === undefined ? {} : { database }),
    application: 'planspan',
    request_timeout: requestTimeoutMs,
    max_open_connections: MAX_CONNECTIONS,
    // Long ids would not fit into a URL.
    use_multipart_params_auto: true,
    // Sent explicitly, because users' settings differ. A read-only user may send a value that is already set.
    clickhouse_settings: { skip_unavailable_shards: skipsShards ? 1 : 0 },
    log: { level: ClickHouseLogLevel.OFF },
    tracer: QUERY_SPANS,
  })
}

/** Splits a URL for the client, which decodes passwords but not user names, and treats a path as a database. */
function parseUrl(url: string): { url: string; username: string; password: string } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol) || isMisread(parsed)) throw invalidUrl(url)
  const { protocol, host, username, password } = parsed
  try {
    return {
      url: `${protocol}//${host}/`,
      username: decodeURIComponent(username) || 'default',
      password: decodeURIComponent(password),
    }
  } catch {
    throw invalidUrl(url)
  }
}

const invalidUrl = (url: string): PlanspanError =>
  new PlanspanError(
    'usage',
    `${JSON.stringify(shownUrl(url))} is not a ClickHouse URL. Give the URL of its HTTP interface, such as http://user:password@host:8123` +
      (url.includes('@') ? `. ${ENCODING_ADVICE}.` : '.'),
  )

/** Records the client's queries as spans, without error messages, since these may contain content of plans. */
const QUERY_SPANS: ClickHouseTracer = {
  startActiveSpan: (name, options, query) => startOwnSpan(name, options, (span) => query(quiet(span))),
}

const quiet = (span: Span): ClickHouseSpan => ({
  setAttributes: (attributes) => void span.setAttributes(attributes),
  recordException: (error) => fail(span, error),
  setStatus: () => {},
  end: () => span.end(),
})

/** Reads the rows of a query. Throws the client's errors. */
export async function selectRows<Row>(
  client: ClickHouseClient,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> {
  const result = await client.query({ query, query_params: params, format: 'JSONEachRow' })
  return result.json<Row>()
}

/** A database of the ClickHouse at a URL. */
export interface At {
  readonly url: string
  readonly database: string
}

/** Runs a task with a client of its own, which is closed afterwards. Throws what queries throw. */
export async function withClient<Result>(
  at: At,
  task: (client: ClickHouseClient) => Promise<Result>,
  options: Pick<StoreClientOptions, 'requestTimeoutMs'> = {},
): Promise<Result> {
  const client = createStoreClient({ url: at.url, ...options })
  try {
    return await task(client)
  } catch (error) {
    throw storeError(error, at)
  } finally {
    await client.close()
  }
}
