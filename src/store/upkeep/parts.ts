import { querySql, readRows, type QueryTarget } from '../client/query.js'

/** How many parts a table has that ClickHouse has not merged. */
export interface PartCount {
  readonly table: string
  /** In the partition that has the most. */
  readonly most: number
  /** With so many, inserts are slowed down. */
  readonly delayAt: number
  /** With so many, they are refused. */
  readonly refuseAt: number
}

export const readPartCounts = (target: QueryTarget): Promise<PartCount[]> =>
  readRows(target, querySql('part_counts', {}), { database: target.database })

/** How the span table is laid out on disk. */
export interface SpanLayout {
  /** Whether it is in planspan's order; a table that a collector made is in another. */
  readonly isOrdered: boolean
  /** Parts without the computed columns: ClickHouse reads the attributes of their spans instead. */
  readonly olderParts: number
}

export async function readSpanLayout(target: QueryTarget): Promise<SpanLayout> {
  const query = querySql('span_layout', {})
  const [row] = await readRows<{ isOrdered: number; olderParts: number }>(target, query, { database: target.database })
  return { isOrdered: row?.isOrdered === 1, olderParts: row?.olderParts ?? 0 }
}
