import { Hono } from 'hono'
import { z } from 'zod'

import { unixNanoNow } from '../../store/index.js'
import { findTrace, goneOf, notYet, type Records } from './find-record.js'
import { countParameter, readQuery } from '../http/query.js'
import { taggedAnswer } from '../http/tagged-answer.js'
import type { AskedPlan } from '../rebuild/compare-traces.js'

/** How many plans are compared at once. */
const MAX_PLANS = 8
const DEFAULT_ROWS = 200

const which = (what: string) =>
  z.array(z.string()).exactOptional().describe(`${what}, one for each id in their order; an empty one leaves it open.`)

/** The parameters of `GET /api/compare`. */
export const COMPARE_QUERY = z.strictObject({
  id: z
    .array(z.string().min(1))
    .min(2, 'name two plans or more, as id=…&id=…')
    .max(MAX_PLANS)
    .prefault([])
    .describe(`The ids of 2 to ${String(MAX_PLANS)} plans, or of agents by their steps; the first is the base.`),
  trace: which('The traces of the records'),
  source: which('The sources of the imports'),
  from: z.coerce.number().int().min(0).exactOptional().describe('The first row of each comparison; 0 unless told.'),
  limit: countParameter
    .exactOptional()
    .describe(`1 to 1000 rows of each comparison; ${String(DEFAULT_ROWS)} unless told.`),
})

/** `GET /api/compare`: plans side by side. */
export function compareRoute({ reader, rebuilder }: Records): Hono {
  const app = new Hono()
  app.get('/api/compare', async (c) => {
    const { id: ids, trace = [], source = [], from = 0, limit = DEFAULT_ROWS } = readQuery(c, COMPARE_QUERY)
    const plans = await allInOrder(
      ids.map(async (id, index): Promise<AskedPlan> => {
        const choice = {
          ...(trace[index] ? { trace: trace[index] } : {}),
          ...(source[index] ? { source: source[index] } : {}),
        }
        return { id, ...(await findTrace(reader, id, choice)) }
      }),
    )
    const prices = await reader.modelPrices()
    const now = unixNanoNow()
    const compared = await rebuilder.run('compare', { plans, prices, now, from, limit }, goneOf(c))
    if (!('missing' in compared)) return taggedAnswer(c, compared, { 'content-type': 'application/json' })
    return notYet(compared.missing.id, compared.missing)
  })
  return app
}

/** What all of some promises become. Throws for the first that fails by their order, not by time. */
async function allInOrder<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
