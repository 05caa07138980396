import type { Log, ServerOptions } from '../../server/index.js'

const AGAIN_MS = 60_000

/** Tells of the embedded ClickHouse's deaths; while it keeps dying, of the reason, once a minute at most. */
export function tellOutages(log: Log): NonNullable<ServerOptions['onClickHouseState']> {
  let toldAt = Number.NEGATIVE_INFINITY
  let isTold = false
  return (state, failure) => {
    if (state === 'restarting' && !failure) {
      log({ level: 'warn', event: 'clickhouse_ended', message: 'ClickHouse ended unexpectedly and is started again.' })
    }
    if (failure && performance.now() - toldAt >= AGAIN_MS) {
      toldAt = performance.now()
      isTold = true
      log({ level: 'error', event: 'clickhouse_failed', message: failure.message, fields: { code: failure.code } })
    }
    if (state === 'ready' && isTold) {
      isTold = false
      log({ level: 'info', event: 'clickhouse_ready', message: 'ClickHouse runs again.' })
    }
  }
}
