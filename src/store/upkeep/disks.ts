import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { noRoom } from '../client/store-error.js'

/** A disk on which tables lie, bytes. */
export interface StoreDisk {
  readonly disk: string
  readonly free: number
  readonly total: number
  /** The bytes of the tables on it. */
  readonly used: number
  /** The bytes of the spans of the last week. */
  readonly week: number
}

export const readDisks = (target: QueryTarget): Promise<StoreDisk[]> =>
  readRows(target, querySql('disks', {}), { database: target.database })

/** The minimum of free space: ClickHouse reserves a megabyte per table of an insert, and merges need more. */
const MIN_FREE_BYTES = 16 << 20

/** Reads the free space for new rows, bytes; undefined for a user who may not read it. */
export async function roomLeft(target: QueryTarget): Promise<number | undefined> {
  const query = querySql('disk_room', {})
  const [row] = await readRows<{ room: number }>(target, query, { database: target.database }).catch(() => [])
  return row?.room
}

/**
 * Throws `disk_full` if ClickHouse's disk has no space for spans. On a cluster, the disks of the shards are not
 * checked.
 */
export async function checkRoom(target: QueryTarget): Promise<void> {
  const room = await roomLeft(target)
  if (room !== undefined && room < MIN_FREE_BYTES) throw noRoom(`${Math.floor(room / 2 ** 20)} MiB are left`)
}
