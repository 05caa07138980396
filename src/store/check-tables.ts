import { listPlans } from './list-plans.js'
import type { QueryTarget } from './query.js'
import { streamPlaces } from './read-rows.js'
import { collectSpans } from './rows/index.js'
import { findPlacesOfKeys } from './trace-key.js'

/** No span has an empty trace id. */
const NOWHERE = { traceId: '', hours: [0] }

/**
 * Asks the tables of lists and records for their columns, and reads no rows. Throws `schema_mismatch` if one is missing
 * or has other columns.
 */
export async function checkTables({ client, url, database }: QueryTarget): Promise<void> {
  const target = { client, url, database }
  await Promise.all([
    findPlacesOfKeys(target, 'plan', ['']),
    collectSpans(streamPlaces(target, [NOWHERE])),
    listPlans(target, { trace: '' }),
  ])
}
