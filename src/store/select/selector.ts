import { ClickHouseError } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { createStoreClient } from '../client/client.js'
import type { QueryTarget } from '../client/query.js'
import { isDenied, isOwnFailure, storeError } from '../client/store-error.js'
import { splitJson, streamAnswer } from '../client/stream-answer.js'
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

/**
 * Creates a selector that runs queries as the read-only user of a URL, with limits on time and memory. ClickHouse
 * cancels a query when its answer is no longer read.
 */
export function createSelector({ url, database, settled }: Omit<QueryTarget, 'client'>): Selector {
  const client = createStoreClient({ url, database })
  return {
    async select({ sql, parameters = {}, ...bounds }) {
      refuseUnbounded(sql)
      await settled?.()
      const asked = {
        query: `${sql.trim().replace(/(\s*;)+$/, '')}\nFORMAT JSONCompactEachRowWithNamesAndTypes`,
        query_params: parameters,
        clickhouse_settings: { max_execution_time: SECONDS, max_memory_usage: String(MEMORY_BYTES) },
      }
      try {
        return await firstRows(streamAnswer({ client, url }, asked, splitJson()), bounds)
      } catch (error) {
        throw selectError(error, { url, database })
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

/** ClickHouse's error codes TIMEOUT_EXCEEDED, TOO_SLOW, and MEMORY_LIMIT_EXCEEDED. */
const TOO_LONG = new Set(['159', '160'])
const TOO_MUCH = '241'

const LESS = 'Filter by Timestamp or TraceId, select fewer columns, or aggregate.'

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
  if (TOO_LONG.has(error.code)) {
    const detail = `The query took longer than ${String(SECONDS)} seconds and was canceled. ${LESS}`
    return new PlanspanError('usage', detail, { cause: error })
  }
  if (error.code === TOO_MUCH) {
    const detail = `The query needs more than ${String(MEMORY_BYTES >> 30)} GiB of memory, or more than ClickHouse has left. ${LESS}`
    return new PlanspanError('usage', detail, { cause: error })
  }
  return new PlanspanError('usage', `ClickHouse rejects the query: ${said}`, { cause: error })
}
