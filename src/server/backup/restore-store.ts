import { existsSync, mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { beginRestore, startClickHouse, type Restoring } from '../../clickhouse/index.js'
import { PlanspanError } from '../../error.js'
import { createStoreClient } from '../../store/index.js'
import { fileFailure, type Contents, type Overview } from './backup-file.js'
import { readBackup } from './read-backup.js'

/** The options of restoring a backup. */
interface RestoreOptions {
  readonly file: string
  /** The directory of the restored store; it must not contain a store. */
  readonly dataDirectory: string
  /** The directory of its cold data, if any. */
  readonly coldDirectory?: string
  /** Aborts the restore, and removes the incomplete store. */
  readonly signal?: AbortSignal
  readonly onProgress?: (bytes: number, total: number) => void
}

/** The contents of a backup. */
export interface BackupSummary {
  /** The version of planspan that created the backup. */
  readonly planspan: string
  readonly madeAt: string
  readonly files: number
  readonly bytes: number
  readonly databases: readonly string[]
  /** The number of rows of all tables. */
  readonly rows: number
}

/**
 * Restores a store from a backup. The store becomes usable only after it is completely on disk and ClickHouse has
 * checked it. Throws `usage` for an incomplete or invalid file, `schema_mismatch` for a backup of a newer planspan,
 * `conflict` for an existing store, `disk_full`, and what `startClickHouse` throws.
 */
export async function restoreStore(options: RestoreOptions): Promise<BackupSummary> {
  const { coldDirectory, onProgress, signal } = options
  const file = resolve(options.file)
  checkThere(file)
  const restoring = await beginRestore(resolve(options.dataDirectory), coldDirectory)
  try {
    const { overview, contents } = await readBackup(file, {
      begin: ({ hasColdData }) => checkCold(hasColdData, coldDirectory),
      take: (path, content) => place(restoring, path, content, signal),
      onProgress,
    })
    await check(restoring, contents, signal)
    restoring.finish()
    return summaryOf(overview, contents)
  } finally {
    restoring.end()
  }
}

/** Verifies a backup without restoring it. Throws the same errors for a file as `restoreStore`. */
export async function checkBackup({
  file,
  signal,
  onProgress,
}: Pick<RestoreOptions, 'file' | 'signal' | 'onProgress'>): Promise<BackupSummary> {
  const path = resolve(file)
  checkThere(path)
  const { overview, contents } = await readBackup(path, {
    begin: () => {},
    async take(_, content) {
      for await (const _ of content) signal?.throwIfAborted()
    },
    onProgress,
  })
  return summaryOf(overview, contents)
}

async function place(
  { directory, cold }: Restoring,
  path: string,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isCold = path.startsWith('cold/')
  const to = isCold ? join(cold ?? '', path.slice('cold/'.length)) : join(directory.root, path)
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    const handle = await open(to, 'wx', 0o600)
    try {
      for await (const piece of content) {
        signal?.throwIfAborted()
        await handle.writeFile(piece)
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw fileFailure(to, error)
  }
}

async function check({ directory }: Restoring, { tables }: Contents, signal: AbortSignal | undefined): Promise<void> {
  const embedded = await startClickHouse({ dataDirectory: directory.root })
  try {
    signal?.throwIfAborted()
    await checkRestored(embedded.url, tables)
  } finally {
    await embedded.stop()
  }
}

function checkThere(file: string): void {
  if (!existsSync(file)) throw new PlanspanError('usage', `There is no file ${file}.`)
}

function checkCold(hasColdData: boolean, coldDirectory: string | undefined): void {
  if (!hasColdData || coldDirectory !== undefined) return
  throw new PlanspanError(
    'usage',
    'The backup has cold data. Name a directory for it with --cold-data, on the same disk or another.',
  )
}

const summaryOf = ({ planspan, madeAt, files, bytes, schemas }: Overview, { tables }: Contents): BackupSummary => ({
  planspan,
  madeAt,
  files,
  bytes,
  databases: Object.keys(schemas),
  rows: tables.flatMap(({ parts }) => Object.values(parts)).reduce((sum, rows) => sum + rows, 0),
})

interface FoundPart {
  readonly database: string
  readonly table: string
  readonly name: string
  readonly rows: number
}

/** Lets ClickHouse read a whole table. */
const TIMEOUT_MS = 3_600_000

/**
 * Checks that ClickHouse has the parts of all tables with all of their rows, and finds none of them damaged. Throws
 * `clickhouse_failed`.
 */
async function checkRestored(url: string, tables: Contents['tables']): Promise<void> {
  const client = createStoreClient({ url, requestTimeoutMs: TIMEOUT_MS })
  const read = async <Row>(query: string, params: Readonly<Record<string, unknown>> = {}) =>
    (await client.query({ query, query_params: params, format: 'JSONEachRow' })).json<Row>()
  try {
    await client.command({ query: 'SYSTEM STOP MERGES' })
    // Merged parts remain in the list for some minutes.
    const found = await read<FoundPart>('SELECT database, table, name, toFloat64(rows) AS rows FROM system.parts')
    const rowsOf = new Map(found.map(({ database, table, name, rows }) => [keyOf(database, table, name), rows]))
    for (const { database, table, parts } of tables) {
      const missing = Object.entries(parts).find(
        // ClickHouse removes parts without remaining rows, soon after a start.
        ([name, rows]) => rows > 0 && rowsOf.get(keyOf(database, table, name)) !== rows,
      )
      if (missing)
        throw isDamaged(`${database}.${table} has not the ${String(missing[1])} rows of its part ${missing[0]}`)
      const [check] = await read<{ result: number }>(
        'CHECK TABLE {database:Identifier}.{table:Identifier} SETTINGS check_query_single_value_result = 1',
        { database, table },
      )
      if (check?.result !== 1) throw isDamaged(`CHECK TABLE ${database}.${table} finds it damaged`)
    }
  } finally {
    await client.close()
  }
}

const keyOf = (...names: readonly string[]): string => names.join('\n')

const isDamaged = (what: string): PlanspanError =>
  new PlanspanError('clickhouse_failed', `ClickHouse reads the restored store differently: ${what}.`)
