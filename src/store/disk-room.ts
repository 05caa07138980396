import { noRoom } from './no-room.js'
import { querySql, readRows, type QueryTarget } from './query.js'

/** ClickHouse reserves a megabyte for each table that an insert writes, and merges want more. */
const LEAST_BYTES = 16 << 20

/**
 * Throws `disk_full` where ClickHouse's disk has no room for spans, and else nothing: some users may not know, and a
 * cluster's disks are those of its shards.
 */
export async function checkRoom(target: QueryTarget): Promise<void> {
  const query = querySql('disk_room', {})
  const [row] = await readRows<{ room: number }>(target, query, { database: target.database }).catch(() => [])
  if (row && row.room < LEAST_BYTES) throw noRoom(`${Math.floor(row.room / 2 ** 20)} MiB are left`)
}
