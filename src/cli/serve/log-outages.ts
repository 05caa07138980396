import type { Log, ServerOptions } from '../../server/index.js'

const AGAIN_MS = 60_000

/** Logs when the embedded ClickHouse ends unexpectedly; while it keeps failing, the reason at most once a minute. */
export function logOutages(log: Log): NonNullable<ServerOptions['onClickHouseState']> {
  let loggedAt = Number.NEGATIVE_INFINITY
  let isLogged = false
  return (state, failure) => {
    if (state === 'restarting' && !failure) {
      log({ level: 'warn', event: 'clickhouse_ended', message: 'ClickHouse ended unexpectedly and is restarted.' })
    }
    if (failure && performance.now() - loggedAt >= AGAIN_MS) {
      loggedAt = performance.now()
      isLogged = true
      log({ level: 'error', event: 'clickhouse_failed', message: failure.message, fields: { code: failure.code } })
    }
    if (state === 'ready' && isLogged) {
      isLogged = false
      log({ level: 'info', event: 'clickhouse_ready', message: 'ClickHouse runs again.' })
    }
  }
}
