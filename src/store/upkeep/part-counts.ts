import { querySql, readRows, type QueryTarget } from '../query.js'

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
