import type { Upkeep } from '../../server/index.js'
import type { Finding } from './doctor.js'

/** Checks whether ClickHouse merges as fast as parts come. */
export function checkParts(tables: Upkeep['parts']): Finding[] {
  const many = tables.filter(({ most, delayAt }) => most * 2 >= delayAt)
  if (many.length > 0) return many.map((table): Finding => ({ level: 'warn', text: manyText(table) }))
  const most = tables.reduce((all, table) => Math.max(all, table.most), 0)
  return [{ level: 'ok', text: `No day of a table has more than ${String(most)} parts to merge` }]
}

const manyText = ({ table, most, delayAt, refuseAt }: Upkeep['parts'][number]): string =>
  `A day of the table ${table} has ${String(most)} parts; with ${String(delayAt)} ClickHouse slows inserts down, with ` +
  `${String(refuseAt)} it refuses them. Send fewer and larger requests (docs/deployment.md#what-an-acknowledgement-costs-` +
  `and-what-senders-should-set), and look into system.merges and ClickHouse's log for why it does not merge them.`
