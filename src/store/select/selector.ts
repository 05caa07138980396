import { createStoreClient } from '../client/client.js'
import { firstRows, type Selection } from './first-rows.js'
import type { QueryTarget } from '../client/query.js'
import { MEMORY_BYTES, SECONDS, selectError } from './select-error.js'
import { splitJson, streamAnswer } from '../client/stream-answer.js'
import { PlanspanError } from '../../error.js'

/** As much of an answer as is wanted. */
export interface SelectBounds {
  readonly rows: number
  readonly bytes: number
}

export interface SelectTask extends SelectBounds {
  readonly sql: string
  /** The values of `{name:Type}` in it, as text. */
  readonly parameters?: Readonly<Record<string, string>>
}

/** Answers people's own queries. */
export interface Selector {
  /**
   * The beginning of a query's answer. Throws `usage` for what ClickHouse does not understand or what takes too long,
   * `access_denied` for what its user may not do, `store_unreachable`.
   */
  select(task: SelectTask): Promise<Selection>
  close(): Promise<void>
}

/**
 * Answers queries as ClickHouse's read-only user, whose URL it takes: what may be read its rights decide, how long it
 * takes and how much memory this. ClickHouse ends a query whose answer nobody reads on.
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
 * Refuses a query that could set its own limits: ClickHouse does not check the settings of a subquery. The word alone
 * decides, wherever it stands, so that there is no way around.
 */
function refuseUnbounded(sql: string): void {
  if (!/settings/i.test(sql)) return
  throw new PlanspanError(
    'usage',
    'The query has the word SETTINGS, which is refused wherever it stands: the limits of queries are the server’s. For a ' +
      'text or a name with the word, match it with LIKE ’%setting_%’.',
  )
}
