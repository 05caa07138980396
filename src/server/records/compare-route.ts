import { Hono } from 'hono'

import { unixNanoNow } from '../../store/index.js'
import { COMPARE_QUERY, DEFAULT_ROWS } from '../../wire/index.js'
import { addRoute, readQuery, taggedAnswer } from '../http/index.js'
import type { Candidate } from '../rebuild/index.js'
import { findTrace, goneOf, notYet, type Records } from './find-record.js'

/** `GET /api/compare`: compares plans. */
export function compareRoute({ reader, rebuilder }: Records): Hono {
  const app = new Hono()
  addRoute(app, 'GET /api/compare', async (c) => {
    const { id: ids, trace = [], source = [], from = 0, limit = DEFAULT_ROWS } = readQuery(c, COMPARE_QUERY)
    const plans = await allInOrder(
      ids.map((id, index): Promise<Candidate> => {
        const choice = {
          ...(trace[index] ? { trace: trace[index] } : {}),
          ...(source[index] ? { source: source[index] } : {}),
        }
        return findTrace(reader, id, choice)
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

/** Resolves to the results of all promises. Throws the error of the first failed promise in order, not in time. */
async function allInOrder<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
