import { setTimeout as delay } from 'node:timers/promises'

import { PlanspanError } from '../../error.js'
import { readRows, type QueryTarget } from '../client/query.js'

/** Whoever took a request brings it to the tables within a second, and drops it from the journal within some. */
const PATIENCE_MS = 20_000
const PAUSE_MS = 100
/** ClickHouse looks for no more texts at once. */
const NEEDLES = 200

/**
 * Resolves when no request in a server's journal holds spans of some traces: what is on its way from there would come
 * back. Throws `store_busy` where one stays.
 */
export async function journalPassed(target: QueryTarget, traceIds: readonly string[]): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  for (let at = 0; at < traceIds.length; at += NEEDLES) {
    while (await holds(target, traceIds.slice(at, at + NEEDLES))) {
      if (performance.now() > until) throw isUnderWay()
      await delay(PAUSE_MS)
    }
  }
}

/** Ids stand in protobuf as bytes, in JSON as text. */
async function holds(target: QueryTarget, traceIds: readonly string[]): Promise<boolean> {
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

const isUnderWay = (): PlanspanError =>
  new PlanspanError(
    'store_busy',
    'Spans of it are still on their way to the tables, as another planspan has acknowledged them. Nothing is erased. Ask ' +
      'again in two minutes: by then a planspan that runs brings them there.',
  )
