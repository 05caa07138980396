import type { ServerOptions } from '../server/index.js'
import { note, styled } from './terminal.js'

const AGAIN_MS = 60_000

/** Tells of the embedded ClickHouse's deaths; while it keeps dying, of the reason, once a minute at most. */
export function tellOutages(): NonNullable<ServerOptions['onClickHouseState']> {
  let toldAt = Number.NEGATIVE_INFINITY
  let isTold = false
  return (state, failure) => {
    if (state === 'restarting' && !failure) note('ClickHouse ended unexpectedly and is started again.')
    if (failure && performance.now() - toldAt >= AGAIN_MS) {
      toldAt = performance.now()
      isTold = true
      note(`${styled('red', 'Error:')} ${failure.message}`)
    }
    if (state === 'ready' && isTold) {
      isTold = false
      note('ClickHouse runs again.')
    }
  }
}
