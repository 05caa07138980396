import type { TracerProvider } from '@opentelemetry/api'

import { type Gate, isLoopback, type Principal } from '../access/index.js'
import type { ReadingEngines } from '../clickhouse/index.js'
import type { PlanspanError } from '../error.js'
import type { ColdVolume, Reserve } from '../store/index.js'
import { Tenants } from './admin/index.js'
import { assembleApp } from './app.js'
import type { Disposer } from './async.js'
import { type AllowedOrigins, drain, listen, type Listener } from './http/index.js'
import { listenOtlp } from './intake/index.js'
import { listenJaeger } from './jaeger/index.js'
import { openStore } from './open-store/index.js'
import { type Log, logFailures, RequestLog, RequestTraces, RequestWatch } from './telemetry/index.js'
import { type Certificate, shownHost } from './tls/index.js'
import { openTenant } from './open-tenant.js'

export interface ServeStoreOptions {
  readonly clickhouseUrl: string
  /** The same for a read-only user; undefined without one. */
  readonly readerUrl: string | undefined
  /** The same for a tenant's reader, by its database. */
  readonly readerUrlOf: (database: string) => string | undefined
  /** Engines in which readers' queries can be ended; undefined without an embedded ClickHouse. */
  readonly readerEngines: ReadingEngines | undefined
  /** Space on its disk for acknowledged spans; undefined without an embedded ClickHouse. */
  readonly reserve: Reserve | undefined
  readonly database: string
  readonly retentionDays: number | undefined
  readonly timeWindowYears: number | undefined
  readonly cold: ColdVolume | undefined
  readonly host: string
  readonly port: number
  /** The port for OTLP over gRPC; undefined for none. */
  readonly grpcPort: number | undefined
  /** The port for Jaeger's remote storage; undefined for none. */
  readonly jaegerPort: number | undefined
  /** Returns the reason why the embedded ClickHouse is not running. */
  readonly outage: () => PlanspanError | undefined
  /** Whether secrets are masked in all received spans and records. */
  readonly redact: boolean
  /** Admits requests with a token; undefined if all requests are admitted. */
  readonly gate: Gate | undefined
  /** The certificate for TLS; undefined for none. */
  readonly certificate: Certificate | undefined
  /** The URLs of a cluster's hosts, separated by commas. */
  readonly hosts: string | undefined
  /** Receives events, such as erasures. */
  readonly log: Log
  /** Whether the log receives all requests, not only slow ones. */
  readonly logRequests: boolean
  /** Creates the spans of the server's own work; undefined for none. */
  readonly tracerProvider: TracerProvider | undefined
  /** Other origins whose pages have access. */
  readonly origins: AllowedOrigins | undefined
  /** The URL of Jaeger's page; undefined if unknown. */
  readonly jaegerUrl: string | undefined
}

export interface Endpoints {
  /** The base URL of OTLP and the HTTP interface. */
  readonly url: string
  /** The base URL of OTLP over gRPC; undefined without one. */
  readonly grpcUrl: string | undefined
  /** `host:port` of Jaeger's remote storage; undefined without one. */
  readonly jaegerEndpoint: string | undefined
}

/** Migrates a database and serves it: over HTTP and, if asked, gRPC and to Jaeger. The disposer ends what it starts. */
export async function serveStore(options: ServeStoreOptions, disposer: Disposer): Promise<Endpoints> {
  const {
    clickhouseUrl,
    readerUrl,
    readerUrlOf,
    readerEngines,
    reserve,
    database,
    retentionDays,
    timeWindowYears,
    cold,
    host,
    port,
    grpcPort,
    jaegerPort,
    outage,
    redact,
    gate,
    certificate,
    hosts,
    log,
    logRequests,
    tracerProvider,
    origins,
    jaegerUrl,
  } = options
  const store = { clickhouseUrl, readerEngines, reserve, retentionDays, timeWindowYears, cold, hosts }
  const opened = await openStore({ ...store, readerUrl, database, ...logFailures(log, database) })
  disposer.defer(() => opened.close())
  const stop = new AbortController()
  const localOnly = isLoopback(host)
  const about = { outage, redact, jaegerUrl, log }
  const tenants =
    gate &&
    new Tenants({
      own: database,
      gate,
      open: (name) =>
        openTenant({
          store: {
            ...store,
            database: name,
            readerUrl: readerUrlOf(name),
            ...logFailures(log, name),
          },
          app: about,
          shared,
          stop: stop.signal,
        }),
    })
  disposer.defer(async () => tenants?.close())
  const { app, intake, shared } = assembleApp(
    { ...opened, ...about, stop: stop.signal, localOnly },
    { gate, certificate, tenants },
  )
  const listeners: Listener[] = []
  disposer.defer(async () => {
    stop.abort()
    const close = async () => {
      await Promise.all([opened.writer.close(), ...(tenants ? [tenants.settle()] : [])])
    }
    await drain(listeners, { close })
  })
  const start = async (listening: Promise<Listener>): Promise<string> => {
    const listener = await listening
    listeners.push(listener)
    return `${shownHost(host, certificate)}:${String(listener.port)}`
  }
  const scheme = certificate ? 'https' : 'http'
  const traces = tracerProvider && new RequestTraces(tracerProvider)
  const requests = new RequestWatch(new RequestLog(log, { all: logRequests }), traces)
  const url = `${scheme}://${await start(listen(app.fetch, { port, host, certificate, requests, origins }))}`
  const guarding = gate && {
    gate,
    intakeOf: async (by: Principal | undefined) => (await tenants?.of(by))?.intake,
  }
  const grpc =
    grpcPort === undefined
      ? undefined
      : await start(listenOtlp(intake, { host, port: grpcPort, certificate, requests }, guarding))
  const readerOf = async (by: Principal | undefined) => (await tenants?.of(by))?.traces
  const jaegerEndpoint =
    jaegerPort === undefined
      ? undefined
      : await start(
          listenJaeger(opened.store.traces, { host, port: jaegerPort, outage, gate, certificate, requests, readerOf }),
        )
  void tenants?.openAll()
  return { url, grpcUrl: grpc && `${scheme}://${grpc}`, jaegerEndpoint }
}
