import { ClickHouseError } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { createStoreClient } from '../client/client.js'
import type { QueryTarget } from '../client/query.js'
import { isDenied, isOwnFailure, storeError } from '../client/store-error.js'
import { splitJson, streamAnswer } from '../client/stream-answer.js'
import { type Engines, runApart } from './apart.js'
import { firstRows, type Selection } from './first-rows.js'

/** The limits of an answer. */
export interface SelectBounds {
  readonly rows: number
  readonly bytes: number
}

export interface SelectTask extends SelectBounds {
  readonly sql: string
  /** The values of the query's parameters `{name:Type}`, as text. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Ends the query when its client has gone. */
  readonly gone?: AbortSignal
}

/** Runs people's own queries. */
export interface Selector {
  /**
   * Returns the beginning of a query's answer. Throws `usage` for an invalid or too expensive query, `access_denied`
   * if the user lacks a right, `store_unreachable`.
   */
  select(task: SelectTask): Promise<Selection>
  close(): Promise<void>
}

export interface SelectorOptions extends Omit<QueryTarget, 'client'> {
  /** Where queries run, with the owner of the tables that they read. @default the ClickHouse of the URL */
  readonly apart?: { readonly engines: Engines; readonly owner: Pick<QueryTarget, 'client' | 'url'> } | undefined
}

/**
 * Creates a selector that runs queries as the read-only user of a URL, with limits on time and memory. ClickHouse
 * cancels a query when its answer is no longer read. An engine apart is killed if a query does not end.
 */
export function createSelector({ url, database, settled, apart }: SelectorOptions): Selector {
  const client = createStoreClient({ url, database })
  return {
    async select({ sql, parameters = {}, gone, ...bounds }) {
      refuseUnbounded(sql)
      await settled?.()
      const asked = {
        query: `${sql.trim().replace(/(\s*;)+$/, '')}\nFORMAT JSONCompactEachRowWithNamesAndTypes`,
        query_params: parameters,
        clickhouse_settings: { max_execution_time: SECONDS, max_memory_usage: String(MEMORY_BYTES) },
      }
      const overdue = new AbortController()
      const signal = gone ? AbortSignal.any([gone, overdue.signal]) : overdue.signal
      const task = async (at: QueryTarget): Promise<Selection> => {
        const timer = setTimeout(() => overdue.abort(), KILL_MS)
        try {
          return await firstRows(streamAnswer(at, asked, splitJson(), signal), bounds)
        } finally {
          clearTimeout(timer)
        }
      }
      try {
        return await (apart
          ? runApart(apart, { reader: client, url, database, task, signal })
          : task({ client, url, database }))
      } catch (error) {
        throw overdue.signal.aborted ? tookTooLong(error) : selectError(error, { url, database })
      }
    },
    close: () => client.close(),
  }
}

/**
 * Rejects a query that could raise its own limits, because ClickHouse does not check the settings of a subquery. Any
 * query that contains the word SETTINGS is rejected.
 */
function refuseUnbounded(sql: string): void {
  if (!/settings/i.test(sql)) return
  throw new PlanspanError(
    'usage',
    'The query contains the word SETTINGS, which is rejected anywhere in a query, because the server sets the limits. To ' +
      'find the word in a text or a name, use LIKE ’%setting_%’.',
  )
}

/** The limits of a query: its time and its memory. */
const SECONDS = 10
const MEMORY_BYTES = 1 << 30
/** The time after which a query is ended that ClickHouse has not ended itself. */
const KILL_MS = (SECONDS + 2) * 1000

/** ClickHouse's error codes TIMEOUT_EXCEEDED, TOO_SLOW, and MEMORY_LIMIT_EXCEEDED. */
const TOO_LONG = new Set(['159', '160'])
const TOO_MUCH = '241'

const LESS = 'Filter by Timestamp or TraceId, select fewer columns, or aggregate.'

const tookTooLong = (cause: unknown): PlanspanError =>
  new PlanspanError('usage', `The query took longer than ${String(SECONDS)} seconds and was canceled. ${LESS}`, {
    cause,
  })

/** Converts the error of a person's query. Most errors are mistakes in the query. */
export function selectError(error: unknown, target: { url: string; database: string }): PlanspanError {
  if (!(error instanceof ClickHouseError) || isOwnFailure(error)) return storeError(error, target)
  const said = error.message.split('\n', 1)[0]?.slice(0, 500).trim() ?? ''
  const isForbidden: boolean = isDenied(error)
  if (isForbidden) {
    return new PlanspanError('access_denied', `Only reading planspan’s tables and views is allowed: ${said}`, {
      cause: error,
    })
  }
  if (TOO_LONG.has(error.code)) return tookTooLong(error)
  if (error.code === TOO_MUCH) {
    const detail = `The query needs more than ${String(MEMORY_BYTES >> 30)} GiB of memory, or more than ClickHouse has left. ${LESS}`
    return new PlanspanError('usage', detail, { cause: error })
  }
  return new PlanspanError('usage', `ClickHouse rejects the query: ${said}`, { cause: error })
}
