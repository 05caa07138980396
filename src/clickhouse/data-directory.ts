import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

import { PlanspanError } from '../error.js'

/** The files of one embedded ClickHouse, as absolute paths. */
export interface DataDirectory {
  readonly root: string
  /** ClickHouse's own files. */
  readonly store: string
  /** The directory with one file per database. */
  readonly metadata: string
  /** The directory with one file per SQL function. */
  readonly functions: string
  /** A directory for ClickHouse's process, only while it starts. */
  readonly start: string
  /** Where ClickHouse keeps links to the files of frozen tables. */
  readonly shadow: string
  readonly lock: string
  /** The lock that a running backup holds. */
  readonly backupLock: string
  /** The address at which the server accepts requests from commands on this machine. */
  readonly control: string
  /** The data directory of an unfinished restore. */
  readonly restoring: string
  readonly credentials: string
  /** The file of the reserved space. */
  readonly reserve: string
  /** The ports of the last start. */
  readonly ports: string
  /** Names the directory of the cold data, if any. */
  readonly cold: string
  readonly configuration: string
  readonly users: string
  /** ClickHouse's log, which it rotates itself. */
  readonly log: string
  /** The stdout and stderr of the current child process. */
  readonly output: string
}

/**
 * Creates the data directory if it is missing, and makes planspan's files in it inaccessible to other users.
 * @throws PlanspanError `data_directory_unwritable` or `disk_full`
 */
export function openDataDirectory(path: string): DataDirectory {
  const root = resolve(path)
  const store = join(root, 'store')
  const directory = {
    root,
    store,
    metadata: join(store, 'metadata'),
    functions: join(store, 'user_defined'),
    start: join(root, 'start'),
    shadow: join(store, 'shadow'),
    lock: join(root, 'lock'),
    backupLock: join(root, 'backup.lock'),
    control: join(root, 'control.json'),
    restoring: join(root, 'restoring'),
    credentials: join(root, 'credentials.json'),
    reserve: join(root, 'reserve'),
    ports: join(root, 'ports.json'),
    cold: join(root, 'cold.json'),
    configuration: join(root, 'config.xml'),
    users: join(root, 'users.xml'),
    log: join(root, 'clickhouse.log'),
    output: join(root, 'clickhouse.output.log'),
  }
  return writing(root, () => {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    mkdirSync(directory.store, { recursive: true, mode: 0o700 })
    closeToOthers(directory)
    return directory
  })
}

/** Whether a directory contains a ClickHouse store. */
export const hasStore = (path: string): boolean => existsSync(join(path, 'store', 'metadata'))

/** Checks that a directory contains a ClickHouse store. @throws PlanspanError `usage` */
export function checkDataDirectory(path: string): void {
  if (hasStore(path)) return
  throw new PlanspanError('usage', `${path} is not a data directory of planspan. Name the data directory with --data.`)
}

// The directory itself keeps its mode: the user may have created it and keep other files in it.
function closeToOthers({ root, log, ...rest }: DataDirectory): void {
  const own = Object.values(rest).filter((path) => dirname(path) === root)
  const logs = readdirSync(root).filter((name) => name.startsWith(basename(log)))
  for (const path of [...own, ...logs.map((name) => join(root, name))]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
  }
}

/** Runs a function that writes below `root`, and turns its errors into ones that name the directory. */
export function writing<T>(root: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    if (cause instanceof PlanspanError) throw cause
    if (isFull(cause)) {
      throw diskFull(root, cause)
    }
    throw new PlanspanError(
      'data_directory_unwritable',
      `The data directory ${root} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'Check that it is a directory and that this user may write to it, or name another directory.',
      { cause },
    )
  }
}

/**
 * Writes a file below `root`, completely or not at all. A file with this text is left as it is, so that a start needs
 * no space for what the last start has written.
 */
export function replaceFile(root: string, path: string, text: string): void {
  writing(root, () => {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) return
    const unfinished = `${path}.new`
    writeFileSync(unfinished, text, { mode: 0o600 })
    renameSync(unfinished, path)
  })
}

/** Creates the error for a full disk. */
export function diskFull(root: string, cause: unknown): PlanspanError {
  return new PlanspanError(
    'disk_full',
    `The disk that holds the data directory ${root} is full${freeOn(root)}. Free some space, or name a directory on another ` +
      'disk.',
    { cause },
  )
}

/** Describes the free space of the disk of a path, as the end of a sentence; empty if it is unknown. */
export function freeOn(path: string): string {
  try {
    const { bavail, bsize } = statfsSync(path)
    return `: ${mebibytes(bavail * bsize)} are free`
  } catch {
    return ''
  }
}

/** A number of bytes for messages. */
export const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

/** Whether a system call failed because a disk is full. */
export function isFull(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT')
}
