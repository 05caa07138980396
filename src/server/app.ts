import { Hono } from 'hono'

import type { Gate } from '../access/index.js'
import { PlanspanError } from '../error.js'
import type { RunningIndexer } from '../indexer/index.js'
import type { SpanTimes } from '../semconv/index.js'
import type { SpanWriter } from '../store/ingest/index.js'
import type { IngestMeter } from '../store/metrics/index.js'
import type { Selector, Store } from '../store/index.js'
import { routeList } from '../wire/index.js'
import { eraseRoute, healthRoute, storageRoute, type Tenants, toTenant } from './admin/index.js'
import { guard, refuseForeignHosts, refuseInvalidHosts, sessionRoute } from './guard/index.js'
import { answerProblem, compressJson, nameSpan, problem } from './http/index.js'
import { otlpRoute, type WholeIntake } from './intake/index.js'
import { listRoute, setsRoute, sqlRoute } from './lists/index.js'
import { eventsRoute, listEventsRoute, ListFeeds, PlanFeeds, spanEventsRoute } from './live/index.js'
import { metricsRoute, RequestMeter } from './metrics/index.js'
import { openApiRoute } from './openapi-route.js'
import { Rebuilder } from './rebuild/index.js'
import { compareRoute, lynxeRoute, recordsRoute, traceRoute } from './records/index.js'
import { type Log, reportMistake, requestIdOf } from './telemetry/index.js'
import type { Certificate } from './tls/index.js'
import { checkRoute, exportRoute, importRoute, viewsRoute } from './transfer/index.js'
import { viewerRoute } from './viewer-route.js'
import { mcpRoute } from './mcp-route.js'
import { closeShared, makeShared, type Shared } from './shared.js'

/** The parts of the HTTP interface. Routes of omitted parts are not served. */
export interface AppOptions {
  readonly store: Pick<
    Store,
    | 'ping'
    | 'mayWrite'
    | 'brokenParts'
    | 'checkRoom'
    | 'reader'
    | 'database'
    | 'storage'
    | 'spanLayout'
    | 'upkeep'
    | 'erase'
    | 'metrics'
  >
  readonly writer: Pick<SpanWriter, 'write' | 'check'>
  /** Counts what the writer stores, for `/metrics`. @default no metrics of the writer */
  readonly meter?: IngestMeter
  /** Writes the rows of plans: `/metrics` and `/readyz` report on it, and it forgets erased traces. @default none */
  readonly indexer?: Pick<RunningIndexer, 'catchUp' | 'reindex' | 'status'>
  /** Runs queries as a user who may only read. @default SQL is rejected */
  readonly sql?: Pick<Selector, 'select'>
  /** Accept only requests whose Host is `localhost` or an IP address. @default false */
  readonly localOnly?: boolean
  /** Returns the reason why the embedded ClickHouse is not running. */
  readonly outage?: () => PlanspanError | undefined
  /** Spans that start before this time (unix nanoseconds) are refused. */
  readonly refuseBefore?: () => bigint | undefined
  /** The times at which spans may start; others are refused. @default those up to 2106 */
  readonly spanTimes?: () => SpanTimes
  /** Whether secrets are masked in all spans and records that arrive. @default false */
  readonly redact?: boolean
  /** Receives events, such as erasures. @default no log */
  readonly log?: Log
  /** The URL of Jaeger's page, for links on planspan's page. @default no links */
  readonly jaegerUrl?: string | undefined
  /** Ends all open event streams, and worker threads when they are done; no new streams are accepted. */
  readonly stop?: AbortSignal
}

/**
 * The server's HTTP interface over a store, without a socket. It gives no response a CORS header, so web pages of other
 * origins have no access.
 */
export const createApp = (options: AppOptions): Hono => assembleApp(options).app

/** The surroundings of an app. */
export interface Surroundings {
  /** Admits requests with a token. @default admits all requests */
  readonly gate?: Gate | undefined
  /** The certificate for TLS. @default no TLS */
  readonly certificate?: Pick<Certificate, 'report'> | undefined
  /** Answers the requests of other tenants. @default no tenants */
  readonly tenants?: Tenants | undefined
  /** Of the server's own app, in that of a tenant. @default its own */
  readonly shared?: Shared
}

/** Creates an app in its surroundings, and returns the parts that other apps share. */
export function assembleApp(
  options: AppOptions,
  { gate, certificate, tenants, shared: given }: Surroundings = {},
): { app: Hono; intake: WholeIntake; shared: Shared } {
  const { store, writer, localOnly = false, outage, refuseBefore, spanTimes, redact = false, stop } = options
  const { log = () => {}, indexer } = options
  const app = new Hono()
  const shared = given ?? makeShared((url, init, env) => app.request(url, init, env))
  const { workers, checkers, bodies, ask } = shared
  const records = { reader: store.reader, rebuilder: new Rebuilder(store.reader, workers) }
  const feeds = new PlanFeeds(records)
  const lists = new ListFeeds()
  // The embedded ClickHouse reports a more precise reason than its client.
  const withOutage = (error: unknown): unknown =>
    error instanceof PlanspanError && error.code === 'store_unreachable' ? (outage?.() ?? error) : error
  const end = (): void => {
    feeds.close()
    lists.close()
    if (!given) closeShared(shared)
  }
  stop?.addEventListener('abort', end, { once: true })
  app.use(nameSpan)
  app.use(refuseInvalidHosts)
  if (localOnly) app.use(refuseForeignHosts)
  app.use(async (c, next) => {
    await next()
    c.header('x-content-type-options', 'nosniff')
  })
  app.get('/api/*', compressJson)
  if (gate) app.use(guard(gate))
  if (tenants) app.use(toTenant(tenants))
  const requests = new RequestMeter()
  const intake = {
    writer: notifyingWriter(requests.counted(writer), { feeds: [feeds, lists], withOutage }),
    bodies,
    checkers,
    meter: requests,
    redact,
    ...(refuseBefore ? { refuseBefore } : {}),
    ...(spanTimes ? { spanTimes } : {}),
  }
  app.route('/', otlpRoute(intake))
  app.route('/', importRoute({ ...intake, workers }))
  app.route('/', listRoute(records))
  app.route('/', listEventsRoute({ records, lists }))
  app.route('/', spanEventsRoute({ records, feeds }))
  app.route('/', recordsRoute(records))
  const onErased = (traceIds: readonly string[]): void => {
    feeds.forget(traceIds)
    lists.wake()
  }
  app.route('/', eraseRoute({ store, indexer, onErased, log }))
  app.route('/', compareRoute(records))
  app.route('/', setsRoute(records))
  app.route('/', exportRoute(records))
  app.route('/', viewsRoute(records))
  app.route('/', checkRoute(records))
  app.route('/', eventsRoute({ records, feeds }))
  app.route('/', lynxeRoute(records))
  app.route('/', traceRoute(records))
  app.route('/', sqlRoute(options))
  app.route('/', mcpRoute(ask))
  app.route('/', sessionRoute(gate))
  app.route('/', storageRoute({ store, ...(spanTimes ? { spanTimes } : {}) }))
  app.route('/', openApiRoute())
  app.route('/', healthRoute({ store, indexer, ...(outage ? { outage } : {}), ...(gate ? { gate } : {}), certificate }))
  // Tenants do not see metrics of the server process.
  const host = given ? undefined : { workers, checkers, gate }
  const { meter: ingest } = options
  app.route('/', metricsRoute({ store, requests, ingest, indexer, feeds, lists, host }))
  app.route('/', viewerRoute({ ...options, onPlan: () => workers.warm() }))
  app.notFound((c) =>
    problem(
      c,
      new PlanspanError(
        'not_found',
        `There is no ${c.req.method} ${new URL(c.req.url).pathname} here. The paths are: ${routeList().join(', ')}.`,
      ),
    ),
  )
  app.onError((thrown, c) => {
    const error = withOutage(thrown)
    if (error instanceof PlanspanError) return problem(c, error)
    const detail = reportMistake(thrown, requestIdOf(c))
    return answerProblem(c, { status: 500, code: 'internal_error', detail })
  })
  return { app, intake, shared }
}

/** A writer that wakes the feeds after each write, and explains a failed write by the outage behind it. */
const notifyingWriter = (
  writer: AppOptions['writer'],
  { feeds, withOutage }: { feeds: readonly { wake(): void }[]; withOutage: (error: unknown) => unknown },
): AppOptions['writer'] => ({
  check: writer.check,
  async write(...request) {
    try {
      const result = await writer.write(...request)
      for (const one of feeds) one.wake()
      return result
    } catch (error) {
      throw withOutage(error)
    }
  },
})
