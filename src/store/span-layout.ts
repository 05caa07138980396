import { querySql, readRows, type QueryTarget } from './query.js'

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
