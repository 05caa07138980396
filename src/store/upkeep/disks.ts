import { querySql, readRows, type QueryTarget } from '../query.js'

/** A disk on which tables lie, bytes. */
export interface StoreDisk {
  readonly disk: string
  readonly free: number
  readonly total: number
  /** What the tables take of it. */
  readonly used: number
  /** What the spans of the last week take of it. */
  readonly week: number
}

export const readDisks = (target: QueryTarget): Promise<StoreDisk[]> =>
  readRows(target, querySql('disks', {}), { database: target.database })
