import { PlanspanError } from '../error.js'

/**
 * Refuses a query that could set its own limits: ClickHouse does not check the settings of a subquery. The word alone
 * decides, wherever it stands, so that there is no way around.
 */
export function refuseUnbounded(sql: string): void {
  if (!/settings/i.test(sql)) return
  throw new PlanspanError(
    'usage',
    'The query has the word SETTINGS, which is refused wherever it stands: the limits of queries are the server’s. For a ' +
      'text or a name with the word, match it with LIKE ’%setting_%’.',
  )
}
