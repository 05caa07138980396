import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { noRoom } from '../client/store-error.js'

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

/** ClickHouse reserves a megabyte for each table that an insert writes, and merges want more. */
const LEAST_BYTES = 16 << 20

/** The room for new rows, bytes; undefined where that can't be told: some users may not know. */
export async function roomLeft(target: QueryTarget): Promise<number | undefined> {
  const query = querySql('disk_room', {})
  const [row] = await readRows<{ room: number }>(target, query, { database: target.database }).catch(() => [])
  return row?.room
}

/** Throws `disk_full` where ClickHouse's disk has no room for spans; a cluster's disks are those of its shards. */
export async function checkRoom(target: QueryTarget): Promise<void> {
  const room = await roomLeft(target)
  if (room !== undefined && room < LEAST_BYTES) throw noRoom(`${Math.floor(room / 2 ** 20)} MiB are left`)
}
