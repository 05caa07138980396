import type * as Ffi from 'ffi-rs'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

import type { Engine } from './engine.js'

const lockExclusiveNonBlocking = 2 | 4

function loadLibc({ ffi }: Engine): typeof Ffi {
  const loaded = createRequire(import.meta.url)(ffi) as typeof Ffi
  // An empty path opens the running program itself, which contains libc.
  loaded.open({ library: 'libc', path: '' })
  return loaded
}

/** Returns a function that tries to take the exclusive lock of an open file and returns whether it succeeded. */
export function loadFlock(engine: Engine): (fd: number) => boolean {
  const { DataType, load } = loadLibc(engine)
  return (fd) =>
    load({
      library: 'libc',
      funcName: 'flock',
      retType: DataType.I32,
      paramsType: [DataType.I32, DataType.I32],
      paramsValue: [fd, lockExclusiveNonBlocking],
    }) === 0
}

/** Takes the lock of a file and returns its release function; undefined if another process holds the lock. */
export function lockFile(path: string, engine: Engine): (() => void) | undefined {
  const fd = openSync(path, 'a+', 0o600)
  if (loadFlock(engine)(fd)) return () => closeSync(fd)
  closeSync(fd)
  return undefined
}

/** Writes all cached data to the disks: one call for many files. */
export function syncDisks(engine: Engine): void {
  const { DataType, load } = loadLibc(engine)
  load({ library: 'libc', funcName: 'sync', retType: DataType.Void, paramsType: [], paramsValue: [] })
}

/** A process that holds the lock on a file. */
interface LockHolder {
  readonly pid: number
  readonly parent: number
  /** The beginning of its command line. */
  readonly command: string
  /** Whether it is an embedded ClickHouse. */
  readonly isEngine: boolean
}

const engineScript = /\/clickhouse\/child\.js$/
const shownArguments = 3
const shownLength = 200

/** Returns the processes that hold the lock on a file, as far as /proc shows them to this user. */
export function lockHolders(path: string): LockHolder[] {
  return read(() => readdirSync('/proc'), [])
    .filter((name) => /^\d+$/.test(name) && holdsLock(join('/proc', name), path))
    .flatMap((name) => describe(Number(name)))
}

/** Returns the embedded ClickHouses whose parent is gone, and which are therefore useless. */
export function orphansOf(holders: readonly LockHolder[]): LockHolder[] {
  const pids = new Set(holders.map(({ pid }) => pid))
  return holders.filter(({ isEngine, parent }) => isEngine && !pids.has(parent))
}

function holdsLock(process: string, path: string): boolean {
  return read(() => readdirSync(join(process, 'fd')), []).some(
    (fd) => isOpenOn(join(process, 'fd', fd), path) && hasLock(join(process, 'fdinfo', fd)),
  )
}

// Compares the name first: the stat of an arbitrary open file may block while a network disk is unavailable.
function isOpenOn(descriptor: string, path: string): boolean {
  return read(() => {
    if (basename(readlinkSync(descriptor)) !== basename(path)) return false
    const [open, file] = [statSync(descriptor, { bigint: true }), statSync(path, { bigint: true })]
    return open.dev === file.dev && open.ino === file.ino
  }, false)
}

// A process that only waits for the lock has the file open as well.
const hasLock = (information: string): boolean =>
  read(() => /^lock:.*FLOCK/m.test(readFileSync(information, 'utf8')), false)

function describe(pid: number): LockHolder[] {
  return read(() => {
    const arguments_ = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // proc_pid_stat(5): the parent is the second field after the command in parentheses.
    const [, parent = ''] = /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return [
      {
        pid,
        parent: Number(parent),
        command: arguments_.slice(0, shownArguments).join(' ').slice(0, shownLength).trim(),
        isEngine: arguments_.some((argument) => engineScript.test(argument)),
      },
    ]
  }, [])
}

/** Reads from /proc. Returns the default if the process has ended or belongs to another user. */
function read<T>(look: () => T, otherwise: T): T {
  try {
    return look()
  } catch {
    return otherwise
  }
}
