import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

import { PlanspanError } from '../error.js'

/** The files of one embedded ClickHouse, as absolute paths. */
export interface DataDirectory {
  readonly root: string
  /** ClickHouse's own files. */
  readonly store: string
  /** A file for each database. */
  readonly metadata: string
  /** A file for each function of SQL. */
  readonly functions: string
  /** A directory that ClickHouse's process has while it starts. */
  readonly start: string
  readonly lock: string
  readonly credentials: string
  /** The ports of the last start. */
  readonly ports: string
  readonly configuration: string
  readonly users: string
  /** ClickHouse's log, rotated by itself. */
  readonly log: string
  /** What the child process of the current start wrote to stdout and stderr. */
  readonly output: string
}

/**
 * Creates the data directory if there is none, and closes what is planspan's in it to other users of the machine.
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
    lock: join(root, 'lock'),
    credentials: join(root, 'credentials.json'),
    ports: join(root, 'ports.json'),
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

// The directory itself may be somebody's own, with more in it.
function closeToOthers({ root, log, ...rest }: DataDirectory): void {
  const own = Object.values(rest).filter((path) => dirname(path) === root)
  const logs = readdirSync(root).filter((name) => name.startsWith(basename(log)))
  for (const path of [...own, ...logs.map((name) => join(root, name))]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
  }
}

/** Runs a write below `root` and names the directory in what goes wrong. */
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
        'Check that it is a directory and that this user may write to it, or name another one.',
      { cause },
    )
  }
}

/** The error for a disk without room for the data directory. */
export function diskFull(root: string, cause: unknown): PlanspanError {
  return new PlanspanError(
    'disk_full',
    `The disk that holds the data directory ${root} is full. Free some space, or name a directory on another disk.`,
    { cause },
  )
}

function isFull(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT')
}
