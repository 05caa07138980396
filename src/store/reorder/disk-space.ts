import { PlanspanError } from '../../error.js'
import { readRows, type QueryTarget } from '../query.js'
import { readSql } from '../sql-file.js'
import { BESIDE, SPANS } from './span-tables.js'

/** A copy is about as large as the table; merges of it need room, too. */
const ROOM = 1.2

/** Throws `disk_full` if the disks of the span table have no room for a copy of it. */
export async function checkDiskSpace(target: QueryTarget): Promise<void> {
  const params = { database: target.database, from: SPANS, to: BESIDE }
  type Row = Record<'needed' | 'copied' | 'free', string>
  const [row] = await readRows<Row>(target, readSql('reorder/disk_space.sql'), params)
  if (row) checkRoom({ bytes: Number(row.needed), copied: Number(row.copied), free: Number(row.free) })
}

/** Throws `disk_full` if there is too little room for what is left to copy. */
export function checkRoom({ bytes, copied, free }: Record<'bytes' | 'copied' | 'free', number>): void {
  const needed = Math.max(0, bytes - copied) * ROOM
  if (free >= needed) return
  throw new PlanspanError(
    'disk_full',
    `Until the old table is dropped, the new one needs ${gigabytes(needed)} beside it; ` +
      `${gigabytes(free)} are free on ClickHouse's disks. Make room, or drop days that are no longer needed.`,
  )
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
