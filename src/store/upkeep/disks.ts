import type { PlanspanError } from '../../error.js'
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

/** The disk that has the least space for new rows, bytes. */
export interface DiskRoom {
  readonly disk: string
  readonly path: string
  readonly room: number
}

/** Reads the free space for new rows, without the reserve; undefined for a user who may not read it. */
export async function roomLeft({ client, url, database, reserve }: QueryTarget): Promise<DiskRoom | undefined> {
  const query = querySql('disk_room', {})
  const [row] = await readRows<DiskRoom>({ client, url, database }, query, { database }).catch(() => [])
  return row && { ...row, room: Math.max(0, row.room - (reserve?.missing ?? 0)) }
}

/**
 * Throws `disk_full` if ClickHouse's disk has no space for spans. On a cluster, the disks of the shards are not
 * checked.
 */
export async function checkRoom(target: QueryTarget): Promise<void> {
  const room = await roomLeft(target)
  if (room !== undefined && room.room < MIN_FREE_BYTES) throw noRoom(shown(room))
}

/** Adds the disk and its free space to an error that reports a full disk. Returns other errors as they are. */
export async function withDisk(error: PlanspanError, target: QueryTarget): Promise<PlanspanError> {
  const room = error.code === 'disk_full' ? await roomLeft(target) : undefined
  return room ? noRoom(shown(room), error.cause) : error
}

const shown = ({ disk, path, room }: DiskRoom): string =>
  `the disk ${disk} at ${path} has ${mebibytes(room)} free, and storing spans needs ${mebibytes(MIN_FREE_BYTES)}`

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

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
