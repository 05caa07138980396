import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import type { RunningIndexer } from '../../indexer/index.js'
import type { Store } from '../../store/index.js'
import { principalOf } from '../guard/principal.js'
import { refuseForeignOrigins } from '../guard/host-guards.js'
import type { Log } from '../telemetry/log.js'
import { requestIdOf } from '../telemetry/request-id.js'
import { peerOf } from '../http/peer.js'
import { booleanParameter, checkParameters, readQuery } from '../http/query.js'
import { PLACE_CHOICE } from '../records/record-target.js'
import { readSmallJson } from '../http/small-body.js'

/** The parameters of an erasure. */
export const ERASE_CHOICE = PLACE_CHOICE.extend({
  running: booleanParameter.exactOptional().describe('Whether a plan is erased that is not over.'),
  together: booleanParameter.exactOptional().describe('Whether other plans of the same traces are erased, too.'),
})
/** The same with the plan. */
export const ERASE_BY_ID = ERASE_CHOICE.extend({ planId: z.string() })

/** The name of the token that lets a request in, and where it comes from. */
function askerOf(c: Context): string {
  const token = principalOf(c)
  const peer = peerOf(c) ?? 'this process'
  return token ? `${token.name}, ${peer}` : peer
}

export interface EraseRouteOptions {
  readonly store: Pick<Store, 'erase'>
  /** Writes the rows of plans. @default nothing does */
  readonly indexer?: Pick<RunningIndexer, 'catchUp' | 'reindex'> | undefined
  /** Called with the traces that are gone. */
  readonly onErased: (traceIds: readonly string[]) => void
  /** Is told of each erasure. */
  readonly log: Log
}

/** `DELETE /api/records/{planId}`: erases a plan. Of the same plan sent again all is stored. */
export function eraseRoute({ store, indexer, onErased, log }: EraseRouteOptions): Hono {
  const app = new Hono()
  const reindex = async (traceIds: readonly string[]): Promise<void> => {
    indexer?.reindex(traceIds)
    await indexer?.catchUp()
  }

  const erase = async (c: Context, id: string, choice: z.output<typeof ERASE_CHOICE>): Promise<Response> => {
    const { traceIds } = await store.erase(id, { ...choice, reindex })
    onErased(traceIds)
    log({
      level: 'info',
      event: 'plan_erased',
      message: 'A plan was erased.',
      fields: { planId: id, traceIds, askedBy: askerOf(c), requestId: requestIdOf(c) },
    })
    return c.body(null, 204)
  }

  app.delete('/api/records/:planId', refuseForeignOrigins, (c) =>
    erase(c, c.req.param('planId'), readQuery(c, ERASE_CHOICE)),
  )
  app.delete('/api/record', refuseForeignOrigins, async (c) => {
    const isJson = c.req.header('content-type')?.startsWith('application/json') ?? false
    const asked = isJson
      ? checkParameters(await readSmallJson(c, '{"planId": "…"}'), ERASE_BY_ID)
      : readQuery(c, ERASE_BY_ID)
    const { planId, ...choice } = asked
    if (planId === '') throw new PlanspanError('usage', 'Name the plan by planId.')
    return erase(c, planId, choice)
  })

  return app
}
