import type * as Ffi from 'ffi-rs'
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'

import { PlanspanError } from '../error.js'
import { type DataDirectory, writing } from './data-directory.js'
import type { Engine } from './engine.js'

/** An exclusive lock on a data directory, held as long as any process has its file descriptor open. */
export interface DirectoryLock {
  readonly fd: number
  release(): void
}

interface Holder {
  readonly pid: number
  readonly since: string
}

const lockExclusiveNonBlocking = 2 | 4
// How long to wait for the lock if its holder is alive, and if it is dead but its ClickHouse is still shutting down.
const waitForLivingMs = 1500
const waitForOrphanMs = 10_000
const pollMs = 20

/**
 * Takes the data directory's lock. The kernel releases it when its last holder dies, so a leftover lock file blocks
 * nobody. A ClickHouse whose parent was killed holds it a moment longer, so this waits for it.
 * @throws PlanspanError `data_directory_in_use`, `data_directory_unwritable` or `disk_full`
 */
export async function lockDirectory(directory: DataDirectory, engine: Engine): Promise<DirectoryLock> {
  const tryLock = loadFlock(engine)
  const fd = writing(directory.root, () => openSync(directory.lock, 'a+', 0o600))
  const release = () => closeSync(fd)
  try {
    const began = performance.now()
    while (!tryLock(fd)) {
      const holder = readHolder(directory.lock)
      const wait = holder !== undefined && isAlive(holder.pid) ? waitForLivingMs : waitForOrphanMs
      if (performance.now() - began > wait) throw inUse(directory.root, holder)
      await setTimeout(pollMs)
    }
    const holder: Holder = { pid: process.pid, since: new Date().toISOString() }
    writing(directory.root, () => {
      ftruncateSync(fd)
      writeSync(fd, JSON.stringify(holder))
    })
    return { fd, release }
  } catch (error) {
    release()
    throw error
  }
}

function loadFlock(engine: Engine): (fd: number) => boolean {
  const { DataType, load, open } = createRequire(import.meta.url)(engine.ffi) as typeof Ffi
  // An empty path opens the running program itself, which contains libc's flock.
  open({ library: 'libc', path: '' })
  return (fd) =>
    load({
      library: 'libc',
      funcName: 'flock',
      retType: DataType.I32,
      paramsType: [DataType.I32, DataType.I32],
      paramsValue: [fd, lockExclusiveNonBlocking],
    }) === 0
}

function readHolder(path: string): Holder | undefined {
  try {
    const { pid, since } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>
    return typeof pid === 'number' && typeof since === 'string' ? { pid, since } : undefined
  } catch {
    // The file is empty between taking the lock and writing the holder into it.
    return undefined
  }
}

// A killed process counts as alive until its parent has reaped it, and its id may belong to another process by now. So
// this decides how long to wait, never whether.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function inUse(root: string, holder: Holder | undefined): PlanspanError {
  const by =
    holder === undefined
      ? 'another process'
      : `${holder.pid === process.pid ? 'this process' : `process ${holder.pid}`} since ${holder.since}`
  return new PlanspanError(
    'data_directory_in_use',
    `The data directory ${root} is in use by ${by}. Stop that process, talk to it over HTTP, or name another directory.`,
  )
}
