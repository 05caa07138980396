import { Hono, type Context } from 'hono'

import type { Gate } from '../../access/index.js'
import { PLANSPAN_VERSION } from '../../base/version.js'
import { PlanspanError } from '../../error.js'
import { lagSeconds, type RunningIndexer } from '../../indexer/index.js'
import { isoOf } from '../../mapping/index.js'
import type { SpanTimes } from '../../semconv/index.js'
import type { Store } from '../../store/index.js'
import type { IndexerState, Readiness, StorageReport } from '../../wire/index.js'
import { withTimeout } from '../async.js'
import { principalOf } from '../guard/index.js'
import { addRoute } from '../http/index.js'
import type { Certificate } from '../tls/index.js'

interface HealthRouteOptions {
  readonly store: Pick<
    Store,
    'ping' | 'mayWrite' | 'checkRoom' | 'reader' | 'database' | 'spanLayout' | 'upkeep' | 'brokenParts'
  >
  /** The indexer whose status `/readyz` reports. @default none */
  readonly indexer?: Pick<RunningIndexer, 'status'> | undefined
  /** Returns the reason why the embedded ClickHouse is not running. */
  readonly outage?: () => PlanspanError | undefined
  /** The gate of a server with tokens: requests without a token for reading receive only the status. */
  readonly gate?: Pick<Gate, 'report'>
  readonly certificate?: Pick<Certificate, 'report'> | undefined
  /** The timeout of the store, milliseconds. @default 5_000 */
  readonly timeoutMs?: number
}

/**
 * `/healthz` reports that the process is alive; `/readyz` reports that the store responds, has planspan's tables and
 * has space for spans. `?reading` ignores the space.
 */
export function healthRoute({
  store,
  indexer,
  outage,
  gate,
  certificate,
  timeoutMs = 5_000,
}: HealthRouteOptions): Hono {
  const app = new Hono()
  const versions = { planspan: PLANSPAN_VERSION, node: process.versions.node }

  addRoute(app, 'GET /healthz', (c) => c.json({ status: 'alive' }))

  addRoute(app, 'GET /readyz', async (c) => {
    const isBrief = gate !== undefined && !principalOf(c)
    try {
      const down = outage?.()
      if (down) throw down
      const { version, clockDifferenceMs, writable } = await withTimeout(
        timeoutMs,
        checkStore(store, isForWriting(c)),
        () => {
          throw new PlanspanError(
            'store_unreachable',
            `ClickHouse did not answer within ${String(timeoutMs)} ms. Look at its load and its log.`,
          )
        },
      )
      if (isBrief) return c.json({ status: 'ready', planspan: null } satisfies Readiness)
      const broken = await ifKnown(timeoutMs, store.brokenParts())
      const ready: Readiness = {
        status: 'ready',
        ...versions,
        clickhouse: version,
        database: store.database,
        writable,
        indexer: stateOf(indexer),
        ...(broken && broken.length > 0 && { degraded: broken }),
        clockDifferenceMs,
        time: new Date().toISOString(),
        // Omitted for probes, which are sent every few seconds: a table may have thousands of parts.
        ...(c.req.query('layout') !== undefined && (await detailsOf(store, timeoutMs))),
        ...(gate && { access: gate.report }),
        ...(certificate && { certificate: certificate.report }),
      }
      return c.json(ready)
    } catch (error) {
      if (!(error instanceof PlanspanError)) throw error
      const { code, message } = error
      if (isBrief) return c.json({ status: 'unavailable', planspan: null } satisfies Readiness, 503)
      return c.json({ status: 'unavailable', ...versions, code, reason: message } satisfies Readiness, 503)
    }
  })

  return app
}

function stateOf(indexer: HealthRouteOptions['indexer']): IndexerState {
  if (!indexer) return { running: false, lagSeconds: 0, pendingRows: 0 }
  const { status } = indexer
  const { pendingRows, failure } = status
  return {
    running: failure === undefined,
    lagSeconds: Math.round(lagSeconds(status)),
    pendingRows,
    ...(failure !== undefined && { error: failure }),
  }
}

const isForWriting = (c: Context): boolean => c.req.query('reading') === undefined

async function checkStore({ ping, mayWrite, checkRoom, reader }: HealthRouteOptions['store'], isForWriting: boolean) {
  const checks = [reader.checkTables(), ...(isForWriting ? [checkRoom()] : [])]
  const [health, writable] = await Promise.all([ping(), mayWrite(), ...checks])
  return { ...health, writable }
}

/** The server is available even if these values are unknown. */
async function detailsOf({ spanLayout, upkeep }: HealthRouteOptions['store'], timeoutMs: number) {
  const [layout, kept] = await Promise.all([ifKnown(timeoutMs, spanLayout()), ifKnown(timeoutMs, upkeep())])
  return { ...(layout && { layout }), ...(kept && { upkeep: kept }) }
}

async function ifKnown<T>(timeoutMs: number, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(timeoutMs, asked, () => undefined)
  } catch (error) {
    if (!(error instanceof PlanspanError)) throw error
    return undefined
  }
}

interface StorageRouteOptions {
  readonly store: Pick<Store, 'storage'>
  readonly spanTimes?: () => SpanTimes
}

/** `/api/storage` returns the disks that store the spans, and the accepted times of spans. */
export function storageRoute({ store, spanTimes }: StorageRouteOptions): Hono {
  const app = new Hono()
  addRoute(app, 'GET /api/storage', async (c) => {
    const times = spanTimes?.()
    const report: StorageReport = {
      ...(await store.storage()),
      spanTimes: times ? { from: isoOf(times.from), until: isoOf(times.until) } : null,
    }
    return c.json(report)
  })
  return app
}
