import { Hono, type Context } from 'hono'

import { PlanspanError } from '../error.js'
import type { SpanLayout, Store } from '../store/index.js'
import { PLANSPAN_VERSION } from '../version.js'
import { withTimeout } from './with-timeout.js'

/** The answer of `GET /readyz`. */
export type Readiness =
  | {
      readonly status: 'ready'
      readonly planspan: string
      readonly node: string
      readonly clickhouse: string
      readonly database: string
      /** False if ClickHouse's user may only read: nothing can be written, and what is sent is refused for good. */
      readonly writable: boolean
      /** ClickHouse's clock minus the server's, milliseconds. */
      readonly clockDifferenceMs: number
      /** The server's clock when it answered, ISO 8601. */
      readonly time: string
      /** Where asked for by `?layout`, and the server's user may read the system tables. */
      readonly layout?: SpanLayout
    }
  | {
      readonly status: 'unavailable'
      readonly planspan: string
      readonly node: string
      readonly code: string
      /** The cause, and what to do; with the code `disk_full`, records can be read nonetheless. */
      readonly reason: string
    }

export interface HealthRouteOptions {
  readonly store: Pick<Store, 'ping' | 'mayWrite' | 'checkRoom' | 'reader' | 'database' | 'spanLayout'>
  /** The reason why the embedded ClickHouse is not running at the moment. */
  readonly outage?: () => PlanspanError | undefined
  /** How long the store may take to answer, milliseconds. @default 5_000 */
  readonly timeoutMs?: number
}

/**
 * `/healthz`: the process is alive; `/readyz`: the store answers, has planspan's tables and room for spans. With
 * `?reading`, room does not count.
 */
export function healthRoute({ store, outage, timeoutMs = 5_000 }: HealthRouteOptions): Hono {
  const app = new Hono()
  const versions = { planspan: PLANSPAN_VERSION, node: process.versions.node }

  app.get('/healthz', (c) => c.json({ status: 'alive' }))

  app.get('/readyz', async (c) => {
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
      const ready: Readiness = {
        status: 'ready',
        ...versions,
        clickhouse: version,
        database: store.database,
        writable,
        clockDifferenceMs,
        time: new Date().toISOString(),
        // Not for a probe, which comes every few seconds: a table may have thousands of parts.
        ...(c.req.query('layout') !== undefined && (await layoutOf(store, timeoutMs))),
      }
      return c.json(ready)
    } catch (error) {
      if (!(error instanceof PlanspanError)) throw error
      const { code, message } = error
      return c.json({ status: 'unavailable', ...versions, code, reason: message } satisfies Readiness, 503)
    }
  })

  return app
}

const isForWriting = (c: Context): boolean => c.req.query('reading') === undefined

async function checkStore({ ping, mayWrite, checkRoom, reader }: HealthRouteOptions['store'], isForWriting: boolean) {
  // No plan and no trace has an empty id: these queries check each table's columns and read no rows.
  const reading = [reader.selectTrace(''), reader.readTrace('')]
  const [health, writable] = await Promise.all([ping(), mayWrite(), isForWriting ? checkRoom() : undefined, ...reading])
  return { ...health, writable }
}

/** No layout is no reason to be unavailable. */
async function layoutOf({ spanLayout }: HealthRouteOptions['store'], timeoutMs: number) {
  try {
    const layout = await withTimeout(timeoutMs, spanLayout(), () => undefined)
    return layout && { layout }
  } catch (error) {
    if (!(error instanceof PlanspanError)) throw error
    return undefined
  }
}
