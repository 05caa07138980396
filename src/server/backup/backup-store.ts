import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import {
  checkDataDirectory,
  type DataDirectory,
  lockForBackup,
  newFrozenName,
  openDataDirectory,
  prepareFreeze,
  startClickHouse,
} from '../../clickhouse/index.js'
import { PlanspanError } from '../../error.js'
import { freezeTables, type Frozen } from '../../store/backup/index.js'
import { askToFreeze } from './control.js'
import { fileFailure, pack, type Contents } from './backup-file.js'
import { findFrozen, packFrozen } from './pack-frozen.js'

/** The source and the target of a backup. */
export interface BackupOptions {
  /** The embedded ClickHouse's directory, whether a server runs there or not. */
  readonly dataDirectory: string
  /** The file of the backup; it must not exist. */
  readonly file: string
  /** Aborts the backup, and removes the incomplete file. */
  readonly signal?: AbortSignal
  readonly onProgress?: (bytes: number, total: number) => void
}

/** The contents of a backup. */
export interface BackupReport {
  readonly file: string
  readonly files: number
  readonly bytes: number
  readonly databases: readonly string[]
  /** The number of rows of all tables. */
  readonly rows: number
  /** The time for which senders had to wait, milliseconds; null if no server was running. */
  readonly heldMs: number | null
}

/**
 * Copies a snapshot of an embedded ClickHouse into a file. Throws `usage`, `conflict` for an existing
 * file, `data_directory_in_use`, `disk_full`, `store_busy`, and what `startClickHouse` throws.
 */
export async function backupStore(options: BackupOptions): Promise<BackupReport> {
  const dataDirectory = resolve(options.dataDirectory)
  const file = resolve(options.file)
  checkDataDirectory(dataDirectory)
  checkNew(file)
  const directory = openDataDirectory(dataDirectory)
  const unlock = lockForBackup(directory)
  try {
    const name = newFrozenName()
    const asked = await askToFreeze(directory, name)
    const frozen = asked ?? (await freezeStopped(directory, name))
    const found = await findFrozen(directory, name)
    const { files, bytes } = found
    let contents: Contents | undefined
    const entries = packFrozen(found, frozen, {
      progress: (done) => options.onProgress?.(done, bytes),
      packed: (all) => (contents = all),
    })
    await writeWhole({ file, bytes }, pack(entries), options.signal)
    const rows = contents?.tables.flatMap(({ parts }) => Object.values(parts)).reduce((sum, one) => sum + one, 0) ?? 0
    const databases = Object.keys(frozen.schemas)
    return { file, files: files.length, bytes, databases, rows, heldMs: asked?.heldMs ?? null }
  } finally {
    unlock()
  }
}

/** Freezes the tables of a directory without a running server. */
async function freezeStopped(directory: DataDirectory, name: string): Promise<Frozen> {
  const embedded = await startClickHouse({ dataDirectory: directory.root, isBrief: true })
  try {
    return await freezeTables(embedded.url, name, () => prepareFreeze(directory, name))
  } finally {
    await embedded.stop()
  }
}

/** Creates the file only after its content is completely on disk. */
async function writeWhole(
  { file, bytes }: { readonly file: string; readonly bytes: number },
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const partial = `${file}.partial`
  try {
    const out = createWriteStream(partial, { mode: 0o600, flush: true })
    await pipeline(Readable.from(pieces, { objectMode: false }), out, signal ? { signal } : {})
    await rename(partial, file)
    await syncDirectory(dirname(file))
  } catch (error) {
    await rm(partial, { force: true })
    throw fileFailure(file, error, bytes)
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

function checkNew(file: string): void {
  if (!existsSync(file)) return
  throw new PlanspanError('conflict', `${file} is there already. Name another file, or remove that one first.`)
}
