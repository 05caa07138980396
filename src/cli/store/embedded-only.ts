import { PlanspanError } from '../../error.js'

/** The error for a ClickHouse of one's own, of which planspan makes no backups. */
export const embeddedOnly = (what: string): PlanspanError =>
  new PlanspanError(
    'usage',
    `Only the embedded ClickHouse is ${what} by planspan. One of your own does it itself: ` +
      'docs/deployment.md#backups-of-a-clickhouse-of-your-own has the statements.',
  )
