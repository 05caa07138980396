import { PlanspanError } from '../../error.js'
import { storeError } from '../client.js'
import { migrateTables } from '../migrate-tables.js'
import { readMigrations } from '../migrations.js'
import { readRows, type QueryTarget } from '../query.js'
import { deniedTo } from '../rights.js'
import { checkDatabaseName, fillSql, splitSql } from '../sql-file.js'
import { applyViews, checkViewNames } from '../views/apply-views.js'
import { COPIED_COLUMNS, copyStep, type Copy } from './copy-spans.js'
import { checkDiskSpace } from './disk-space.js'
import { execute } from './execute.js'
import { insertsUnderWay } from './inserts-under-way.js'
import { lockReorder, type ReorderLock } from './reorder-lock.js'
import { BESIDE, checkReorderable, FEED, isReplacing, readTables, SPANS, type TableState } from './span-tables.js'
import { readSteps, STEP_ROWS } from './steps.js'
import { completeTraceWindows } from './trace-windows.js'

export type ReorderStage = 'copying' | 'looking up' | 'swapping' | 'checking' | 'dropping'

export interface ReorderOptions {
  /** Called before each step; the numbers are rows. */
  readonly onProgress?: (stage: ReorderStage, done: number, total: number) => void | Promise<void>
  /** How many rows a step copies. @default 1_000_000 */
  readonly stepRows?: number
}

/** What a reorder did; undefined where there was nothing to do. */
export interface Reordered {
  /** Rows of the old table and of the new one; merges there will leave one a span. */
  readonly rows: { readonly before: number; readonly after: number }
  /** Bytes on the disk. */
  readonly bytes: { readonly before: number; readonly after: number }
  readonly days: number
}

/**
 * Turns a span table of a collector or an earlier planspan into one as made today, while spans come: copies it into a
 * table beside it, which a view feeds with what comes meanwhile, swaps the two, copies what inserts under way have
 * still put into the old one, and drops that only when no span of it is missing. Can be broken off anywhere and
 * repeated. Throws `schema_mismatch`, `disk_full`, `store_busy`, `store_unreachable`.
 */
export async function reorder(target: QueryTarget, options: ReorderOptions = {}): Promise<Reordered | undefined> {
  checkDatabaseName(target.database)
  const tables = await readTables(target, SPANS, BESIDE)
  const spans = tables.get(SPANS)
  if (!spans) return undefined
  await checkReorderable(target, spans)
  if (isReplacing(spans) && !tables.has(BESIDE)) return undefined
  try {
    const lock = await lockReorder(target)
    try {
      return await reorderLocked(target, lock, options)
    } finally {
      await lock.release()
    }
  } catch (error) {
    const cause = error instanceof PlanspanError ? error.cause : error
    throw (await deniedTo('owner', cause, target)) ?? storeError(error, target)
  }
}

async function reorderLocked(
  target: QueryTarget,
  lock: ReorderLock,
  options: ReorderOptions,
): Promise<Reordered | undefined> {
  const tables = await readTables(target, SPANS, BESIDE)
  const spans = tables.get(SPANS)
  if (spans && !isReplacing(spans)) await copyAndSwap(target, lock, spans, options)
  else if (!tables.has(BESIDE)) return undefined
  return settle(target, lock, options)
}

/** Fills the new table and puts it in the place of the old one. */
async function copyAndSwap(
  target: QueryTarget,
  lock: ReorderLock,
  old: TableState,
  { onProgress, stepRows = STEP_ROWS }: ReorderOptions,
): Promise<void> {
  const { client, database } = target
  await checkDiskSpace(target)
  await checkViewNames(client, database)
  await migrateTables(client, { database })
  await execute(target, newTable(database, old))
  const feed = `SELECT ${COPIED_COLUMNS} FROM ${database}.${SPANS}`
  await execute(
    target,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.${FEED} TO ${database}.${BESIDE} AS ${feed}`,
  )
  await insertsUnderWay(target)
  await copyAll(target, { from: SPANS, to: BESIDE }, 'copying', { ...(onProgress && { onProgress }), stepRows })
  await onProgress?.('looking up', 0, 0)
  await completeTraceWindows(target)
  await onProgress?.('swapping', 0, 0)
  await lock.check()
  await execute(target, `EXCHANGE TABLES ${database}.${SPANS} AND ${database}.${BESIDE}`)
}

/** Copies what the old table got last, and drops it. */
async function settle(
  target: QueryTarget,
  lock: ReorderLock,
  { onProgress, stepRows = STEP_ROWS }: ReorderOptions,
): Promise<Reordered> {
  const { client, database } = target
  await applyViews(client, database)
  await execute(target, `DROP VIEW IF EXISTS ${database}.${FEED} SYNC`)
  await insertsUnderWay(target)
  await copyAll(target, { from: BESIDE, to: SPANS }, 'checking', { ...(onProgress && { onProgress }), stepRows })
  const ttl = (await readTables(target, BESIDE)).get(BESIDE)?.ttl ?? ''
  // Not before: what has expired would seem to be missing.
  if (ttl !== '') await execute(target, `ALTER TABLE ${database}.${SPANS} MODIFY TTL ${ttl}`)
  const sizes = await readSizes(target)
  await onProgress?.('dropping', 0, 0)
  await lock.check()
  await execute(target, `DROP TABLE ${database}.${BESIDE} SYNC`)
  return sizes
}

async function copyAll(
  target: QueryTarget,
  copy: Copy,
  stage: ReorderStage,
  { onProgress, stepRows }: ReorderOptions & { readonly stepRows: number },
): Promise<void> {
  const steps = await readSteps(target, copy.from, stepRows)
  const total = steps.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  for (const step of steps) {
    await onProgress?.(stage, done, total)
    await copyStep(target, copy, step)
    done += step.rows
  }
}

/** The statement that makes the new table, on the disks of the old one. */
function newTable(database: string, { policy }: TableState): string {
  const [statement = ''] = splitSql(readMigrations().find(({ id }) => id === '0001_otel_traces')?.sql ?? '')
  const table = fillSql(statement.replace(`.${SPANS} (`, `.${BESIDE} (`), { database })
  return policy === 'default' ? table : `${table}, storage_policy = '${policy}'`
}

const SIZES = `SELECT table, toUInt64(sum(rows)) AS rows, sum(bytes_on_disk) AS bytes, toUInt32(uniqExact(partition)) AS days
  FROM system.parts WHERE database = {database:String} AND table IN {tables:Array(String)} AND active GROUP BY table`

async function readSizes(target: QueryTarget): Promise<Reordered> {
  type Row = { table: string; rows: string; bytes: string; days: number }
  const sizes = await readRows<Row>(target, SIZES, { database: target.database, tables: [SPANS, BESIDE] })
  const [before, after] = [BESIDE, SPANS].map((table) => sizes.find((row) => row.table === table))
  return {
    rows: { before: Number(before?.rows ?? 0), after: Number(after?.rows ?? 0) },
    bytes: { before: Number(before?.bytes ?? 0), after: Number(after?.bytes ?? 0) },
    days: after?.days ?? 0,
  }
}
