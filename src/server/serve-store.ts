import type { PlanspanError } from '../error.js'
import type { ColdVolume } from '../store/index.js'
import { createApp } from './app.js'
import type { Disposer } from './disposer.js'
import { listenJaeger } from './jaeger/listen-jaeger.js'
import { isLoopback } from './host-guards.js'
import { listen } from './listen.js'
import { openStore } from './open-store.js'

export interface ServeStoreOptions {
  readonly clickhouseUrl: string
  readonly database: string
  readonly retentionDays: number | undefined
  readonly cold: ColdVolume | undefined
  readonly host: string
  readonly port: number
  /** The port for Jaeger's remote storage; undefined for none. */
  readonly jaegerPort: number | undefined
  /** The reason why the embedded ClickHouse is not running at the moment. */
  readonly outage: () => PlanspanError | undefined
}

const REQUEST_GRACE_MS = 8_000

export interface Endpoints {
  /** The base URL of OTLP and the HTTP interface. */
  readonly url: string
  /** `host:port` of Jaeger's remote storage; undefined without one. */
  readonly jaegerEndpoint: string | undefined
}

/** Migrates a database and serves it over HTTP and, if asked, to Jaeger. The disposer ends all that it starts. */
export async function serveStore(options: ServeStoreOptions, disposer: Disposer): Promise<Endpoints> {
  const { clickhouseUrl, database, retentionDays, cold, host, port, jaegerPort, outage } = options
  const opened = await openStore({ clickhouseUrl, database, retentionDays, cold })
  disposer.defer(() => opened.close())
  const stop = new AbortController()
  const app = createApp({ ...opened, stop: stop.signal, localOnly: isLoopback(host), outage })
  const listener = await listen(app.fetch, { port, host })
  disposer.defer(() => listener.close(REQUEST_GRACE_MS))
  disposer.defer(async () => stop.abort())
  const jaeger =
    jaegerPort === undefined ? undefined : await listenJaeger(opened.store.traces, { host, port: jaegerPort, outage })
  if (jaeger) disposer.defer(() => jaeger.close(REQUEST_GRACE_MS))
  return {
    url: `http://${urlHost(host)}:${String(listener.port)}`,
    jaegerEndpoint: jaeger && `${urlHost(host)}:${String(jaeger.port)}`,
  }
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
