import { Hono, type Context } from 'hono'

import type { RunningIndexer } from '../../indexer/index.js'
import type { Store } from '../../store/index.js'
import { ERASE_CHOICE } from '../../wire/index.js'
import { principalOf, refuseForeignOrigins } from '../guard/index.js'
import { addRoute, peerOf } from '../http/index.js'
import { readTarget } from '../records/index.js'
import { type Log, requestIdOf } from '../telemetry/index.js'

/** Returns the name of the request's token, and its address. */
function askerOf(c: Context): string {
  const token = principalOf(c)
  const peer = peerOf(c) ?? 'this process'
  return token ? `${token.name}, ${peer}` : peer
}

export interface EraseRouteOptions {
  readonly store: Pick<Store, 'erase'>
  /** Writes the rows of plans. @default none */
  readonly indexer?: Pick<RunningIndexer, 'catchUp' | 'reindex'> | undefined
  /** Called with the erased traces. */
  readonly onErased: (traceIds: readonly string[]) => void
  /** Receives an entry for each erasure. */
  readonly log: Log
}

/** `DELETE /api/records/{id}`: erases a plan. The same plan can be sent again. */
export function eraseRoute({ store, indexer, onErased, log }: EraseRouteOptions): Hono {
  const app = new Hono()
  const reindex = async (traceIds: readonly string[]): Promise<void> => {
    indexer?.reindex(traceIds)
    await indexer?.catchUp()
  }

  addRoute(app, 'DELETE /api/records/{id}', refuseForeignOrigins, async (c) => {
    const { id, choice } = readTarget(c, ERASE_CHOICE)
    const { traceIds } = await store.erase(id, { ...choice, reindex })
    onErased(traceIds)
    log({
      level: 'info',
      event: 'plan_erased',
      message: 'A plan was erased.',
      fields: { planId: id, traceIds, askedBy: askerOf(c), requestId: requestIdOf(c) },
    })
    return c.body(null, 204)
  })

  return app
}
