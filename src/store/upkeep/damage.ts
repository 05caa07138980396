import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { INDEX_TABLES } from '../row-tables/index.js'

interface StoredPart {
  readonly table: string
  readonly part: string
  readonly partition: string
  readonly reason: string
  /** Where ClickHouse keeps the part. */
  readonly path: string
  readonly bytes: number
}

/** A part that ClickHouse could not read and has set aside. */
export interface BrokenPart extends StoredPart {
  /** What happened, and what to do. */
  readonly message: string
}

/** The lookups that views fill from the spans. */
export const LOOKUPS: ReadonlySet<string> = new Set(['plan_keys', 'otel_traces_trace_id_ts'])
export const DERIVED_ROWS: ReadonlySet<string> = new Set(INDEX_TABLES)

/** Whether planspan can write the rows of a table again from the spans. */
export const isDerived = ({ table }: Pick<StoredPart, 'table'>): boolean =>
  LOOKUPS.has(table) || DERIVED_ROWS.has(table)

/** Reads the parts of a database that ClickHouse has set aside. Throws the client's errors. */
export async function readBrokenParts({ client, url, database }: QueryTarget): Promise<BrokenPart[]> {
  const parts = await readRows<StoredPart>({ client, url, database }, querySql('broken_parts', {}), { database })
  return parts.map((part) => ({ ...part, message: messageOf(part) }))
}

function messageOf(stored: StoredPart): string {
  const { table, part, reason, path } = stored
  const advice = isDerived(stored)
    ? 'planspan writes them again from the spans.'
    : 'Records that lack them are partial. Restore them from a backup, or send them again, and drop the part ' +
      `(ALTER TABLE ${table} DROP DETACHED PART '${part}').`
  return (
    `ClickHouse could not read the part ${part} of the table ${table} and has set it aside in ${path} (${reason}): its rows are ` +
    `missing. ${advice}`
  )
}
