import { type Gate, isLoopback } from '../access/index.js'
import type { PlanspanError } from '../error.js'
import type { ColdVolume } from '../store/index.js'
import { assembleApp } from './app.js'
import type { Disposer } from './disposer.js'
import { drain } from './drain.js'
import { listenJaeger } from './jaeger/listen-jaeger.js'
import { listen, type Listener } from './listen.js'
import { openStore } from './open-store.js'
import { listenOtlp } from './otlp-grpc.js'

export interface ServeStoreOptions {
  readonly clickhouseUrl: string
  /** The same for a user who may only read; undefined where none is known. */
  readonly readerUrl: string | undefined
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
  /** The reason why the embedded ClickHouse is not running at the moment. */
  readonly outage: () => PlanspanError | undefined
  /** Whether secrets are masked in all that arrives. */
  readonly redact: boolean
  /** Lets in those with a token; undefined where everybody is let in. */
  readonly gate: Gate | undefined
  /** The URLs of a cluster's hosts, separated by commas. */
  readonly hosts: string | undefined
  /** Takes a line of text for each erasure. */
  readonly audit: (line: string) => void
  /** Where Jaeger's page is; undefined where that is not known. */
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
    hosts,
    audit,
    jaegerUrl,
  } = options
  const opened = await openStore({ clickhouseUrl, readerUrl, database, retentionDays, timeWindowYears, cold, hosts })
  disposer.defer(() => opened.close())
  const stop = new AbortController()
  const localOnly = isLoopback(host)
  const { app, intake } = assembleApp(
    { ...opened, stop: stop.signal, localOnly, outage, redact, jaegerUrl, audit },
    gate,
  )
  const listeners: Listener[] = []
  disposer.defer(async () => {
    stop.abort()
    await drain(listeners, opened.writer)
  })
  const start = async (listening: Promise<Listener>): Promise<string> => {
    const listener = await listening
    listeners.push(listener)
    return `${urlHost(host)}:${String(listener.port)}`
  }
  const url = `http://${await start(listen(app.fetch, { port, host }))}`
  const grpc = grpcPort === undefined ? undefined : await start(listenOtlp(intake, { host, port: grpcPort }, gate))
  const jaegerEndpoint =
    jaegerPort === undefined
      ? undefined
      : await start(listenJaeger(opened.store.traces, { host, port: jaegerPort, outage, gate }))
  return { url, grpcUrl: grpc && `http://${grpc}`, jaegerEndpoint }
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
