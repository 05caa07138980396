import { querySql, readRows, type QueryTarget } from '../client/query.js'

/** The number of unmerged parts of a table. */
export interface PartCount {
  readonly table: string
  /** The parts of the partition with the most. */
  readonly most: number
  /** The number of parts at which inserts are delayed. */
  readonly delayAt: number
  /** The number of parts at which inserts are rejected. */
  readonly refuseAt: number
}

export const readPartCounts = (target: QueryTarget): Promise<PartCount[]> =>
  readRows(target, querySql('part_counts', {}), { database: target.database })

/** How the span table is laid out on disk. */
export interface SpanLayout {
  /** Whether it has planspan's sorting key; a table that a collector created has another. */
  readonly isOrdered: boolean
  /** The number of parts without the computed columns; ClickHouse reads the attributes of their spans instead. */
  readonly olderParts: number
}

export async function readSpanLayout(target: QueryTarget): Promise<SpanLayout> {
  const query = querySql('span_layout', {})
  const [row] = await readRows<{ isOrdered: number; olderParts: number }>(target, query, { database: target.database })
  return { isOrdered: row?.isOrdered === 1, olderParts: row?.olderParts ?? 0 }
}
