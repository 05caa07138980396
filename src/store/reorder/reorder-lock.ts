import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { createStoreClient, storeError } from '../client.js'
import { readRows, type QueryTarget } from '../query.js'

/** The right to reorder a database, which one process at a time has. */
export interface ReorderLock {
  /** Throws `store_busy` if the lock is lost, as after an interruption of the network. */
  check(): Promise<void>
  release(): Promise<void>
}

const POLL_MS = 50
/** How long the query of a process that was killed may still be there. */
const WAIT_MS = 3000
/** The longest time that Node's timers know. */
const NEVER_MS = 2 ** 31 - 1

const SLEEPING = 'SELECT sleepEachRow(0.1) FROM numbers(1000000000) FORMAT Null'
const IS_SLEEPING = `SELECT 1 AS one FROM system.processes
  WHERE query_id = {id:String} AND Settings['log_comment'] = {token:String}`

/**
 * Takes the lock: a query that sleeps under an id that ClickHouse gives to one query at a time, and that it ends when
 * the process that asked for it is gone. Throws `store_busy` if another process has it.
 */
export async function lockReorder(target: QueryTarget): Promise<ReorderLock> {
  const { url, database } = target
  const client = createStoreClient({ url, requestTimeoutMs: NEVER_MS })
  const began = performance.now()
  try {
    for (;;) {
      const query = await startSleeping(target, client)
      if (query) {
        return {
          async check() {
            if (!(await query.isHeld())) throw lost(database)
          },
          async release() {
            await query.end()
            await client.close()
          },
        }
      }
      if (performance.now() - began > WAIT_MS) throw busy(database)
      await setTimeout(POLL_MS)
    }
  } catch (error) {
    await client.close()
    throw error
  }
}

interface SleepingQuery {
  isHeld(): Promise<boolean>
  end(): Promise<void>
}

/** Starts the query; undefined if there is one already. */
async function startSleeping(target: QueryTarget, client: ClickHouseClient): Promise<SleepingQuery | undefined> {
  const lock = { id: `planspan-reorder-${target.database}`, token: randomUUID() }
  const release = new AbortController()
  let failure: unknown
  const sleeping = client
    .command({
      query: SLEEPING,
      query_id: lock.id,
      abort_signal: release.signal,
      clickhouse_settings: {
        log_comment: lock.token,
        max_block_size: '1',
        max_execution_time: 0,
        // Else the query would sleep on after its process was killed; the setting holds for queries that only read.
        cancel_http_readonly_queries_on_client_close: 1,
        readonly: '2',
      },
    })
    .catch((error: unknown) => {
      failure = error
    })
  const isHeld = async () => (await readRows(target, IS_SLEEPING, lock)).length > 0
  const end = async () => {
    release.abort()
    await sleeping
  }
  try {
    while (!(await isHeld())) {
      if (isTaken(failure)) return undefined
      if (failure !== undefined) throw storeError(failure, target)
      await setTimeout(POLL_MS)
    }
  } catch (error) {
    await end()
    throw error
  }
  return { isHeld, end }
}

/** ClickHouse's error code QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING. */
const isTaken = (error: unknown): boolean => error instanceof ClickHouseError && error.code === '216'

const busy = (database: string): PlanspanError =>
  new PlanspanError(
    'store_busy',
    `Another \`planspan schema --reorder\` is at work on the database ${database}: let it end.`,
  )

const lost = (database: string): PlanspanError =>
  new PlanspanError(
    'store_busy',
    `The connection that kept others from reordering the database ${database} broke. ` +
      'No span is lost: run `planspan schema --reorder` again, and it goes on.',
  )
