import { setTimeout } from 'node:timers/promises'

import { PlanspanError } from '../../error.js'
import { readRows, type QueryTarget } from '../query.js'

const POLL_MS = 50
const LONGEST_INSERT_MS = 600_000

const INSERTS = `SELECT query_id AS id FROM system.processes
  WHERE query_kind IN ('Insert', 'AsyncInsertFlush') AND NOT is_cancelled`

/**
 * Waits for the end of the inserts that are under way: they may write to the tables and views that there were when they
 * began. Throws `store_busy` if one takes longer than ten minutes.
 */
export async function insertsUnderWay(target: QueryTarget): Promise<void> {
  let waiting = await runningInserts(target)
  const began = performance.now()
  while (waiting.length > 0) {
    if (performance.now() - began > LONGEST_INSERT_MS) {
      throw new PlanspanError(
        'store_busy',
        `Inserts that began ten minutes ago are still under way (${waiting.join(', ')}). ` +
          'End them, or wait for them; then run `planspan schema --reorder` again, and it goes on.',
      )
    }
    await setTimeout(POLL_MS)
    const running = await runningInserts(target)
    waiting = waiting.filter((id) => running.includes(id))
  }
}

const runningInserts = async (target: QueryTarget): Promise<string[]> =>
  (await readRows<{ id: string }>(target, INSERTS)).map(({ id }) => id)
