import { existsSync, mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { beginRestore, type Restoring, startClickHouse } from '../../clickhouse/index.js'
import { PlanspanError } from '../../error.js'
import { checkRestored } from './check-restored.js'
import { fileFailure } from './file-failure.js'
import type { Contents, Overview } from './manifest.js'
import { readBackup } from './read-backup.js'

/** The options of restoring a backup. */
export interface RestoreOptions {
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
