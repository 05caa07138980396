import { setTimeout as delay } from 'node:timers/promises'

import { PlanspanError } from '../../error.js'
import { readRows, type QueryTarget } from '../client/query.js'

/** A request is normally moved from the journal to the tables within seconds. */
const TIMEOUT_MS = 20_000
const PAUSE_MS = 100
/** ClickHouse's maximum number of needles per search. */
const NEEDLES = 200

/**
 * Resolves when a server's journal contains no spans of some traces, since these would be stored after the erasure.
 * Throws `store_busy` on timeout.
 */
export async function journalPassed(target: QueryTarget, traceIds: readonly string[]): Promise<void> {
  const until = performance.now() + TIMEOUT_MS
  for (let at = 0; at < traceIds.length; at += NEEDLES) {
    while (await contains(target, traceIds.slice(at, at + NEEDLES))) {
      if (performance.now() > until) throw isInJournal()
      await delay(PAUSE_MS)
    }
  }
}

/** Whether the journal contains spans of some traces. Protobuf contains ids as bytes, JSON as text. */
async function contains(target: QueryTarget, traceIds: readonly string[]): Promise<boolean> {
  const rows = await readRows(
    target,
    `SELECT 1 FROM ${target.database}.otlp_journal
     WHERE multiSearchAny(Body, arrayMap(id -> unhex(id), {traceIds:Array(String)}))
       OR multiSearchAnyCaseInsensitive(Body, {traceIds:Array(String)})
     LIMIT 1`,
    { traceIds },
  )
  return rows.length > 0
}

const isInJournal = (): PlanspanError =>
  new PlanspanError(
    'store_busy',
    'The journal still contains spans of the plan, which another planspan has acknowledged. Nothing is erased. Try again in ' +
      'two minutes: by then a running planspan has moved them to the tables.',
  )
