import { querySql, readRows, type QueryTarget } from './query.js'

/** How the span table lies on the disk. */
export interface SpanLayout {
  /** Whether it is in today's order, which `planspan schema --reorder` puts it into. */
  readonly isOrdered: boolean
  /** Its parts that lack the columns that ClickHouse computes, and answer from the attributes until they are merged. */
  readonly olderParts: number
}

export async function readSpanLayout(target: QueryTarget): Promise<SpanLayout> {
  const query = querySql('span_layout', {})
  const [row] = await readRows<{ isOrdered: number; olderParts: number }>(target, query, { database: target.database })
  return { isOrdered: row?.isOrdered === 1, olderParts: row?.olderParts ?? 0 }
}
