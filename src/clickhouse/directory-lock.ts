import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

import { PlanspanError } from '../error.js'
import { type DataDirectory, isFull, writing } from './data-directory.js'
import type { Engine } from './engine.js'
import { loadFlock, lockHolders, orphansOf } from './file-lock.js'

/** An exclusive lock on a data directory, held as long as any process has its file descriptor open. */
export interface DirectoryLock {
  readonly fd: number
  release(): void
}

interface Holder {
  readonly pid: number
  readonly since: string
  /** Whether the holder needs the lock for some seconds only, as a backup does, unlike a server. */
  readonly isBrief: boolean
}

// How long to wait for the lock if its holder is alive, if its holder needs it briefly, and if its holder is dead but
// the holder's ClickHouse is still shutting down.
const waitForLivingMs = 1500
const waitForBriefMs = 60_000
const waitForOrphanMs = 10_000
// A ClickHouse ends within this time after its parent, unless it is frozen.
const orphanGraceMs = 500
const pollMs = 20

/**
 * Takes the data directory's lock. The kernel releases the lock when its last holder dies, so a leftover lock file
 * blocks nobody. A ClickHouse whose parent was killed holds the lock a moment longer: this function waits for it, and
 * kills it if it does not end by itself. It also waits for brief holders, and warns about the wait.
 * @throws PlanspanError `data_directory_in_use`, `data_directory_unwritable` or `disk_full`
 */
export async function lockDirectory(
  directory: DataDirectory,
  engine: Engine,
  { isBrief = false }: { readonly isBrief?: boolean | undefined } = {},
): Promise<DirectoryLock> {
  const tryLock = loadFlock(engine)
  const fd = writing(directory.root, () => openSync(directory.lock, 'a+', 0o600))
  const release = () => closeSync(fd)
  try {
    const began = performance.now()
    let endedOrphans: boolean | undefined
    let hasWarned = false
    while (!tryLock(fd)) {
      const waited = performance.now() - began
      if (waited > orphanGraceMs) endedOrphans ??= endOrphans(directory)
      const holder = readHolder(directory.lock)
      const isServed = !endedOrphans && holder !== undefined && isAlive(holder.pid)
      const isShort = isServed && holder.isBrief
      if (waited > (isShort ? waitForBriefMs : isServed ? waitForLivingMs : waitForOrphanMs)) {
        throw inUse(directory, holder)
      }
      if (isShort && waited > waitForLivingMs && !hasWarned) {
        warnOfWait(directory, holder)
        hasWarned = true
      }
      await setTimeout(pollMs)
    }
    noteHolder(fd, { pid: process.pid, since: new Date().toISOString(), isBrief })
    return { fd, release }
  } catch (error) {
    release()
    throw error
  }
}

/** Notes the holder for messages. A full disk has no room for the note, and needs none: the lock is the kernel's. */
function noteHolder(fd: number, holder: Holder): void {
  try {
    ftruncateSync(fd)
    writeSync(fd, JSON.stringify(holder))
  } catch (error) {
    if (!isFull(error)) throw error
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    const { pid, since, isBrief = false } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>
    return typeof pid === 'number' && typeof since === 'string' ? { pid, since, isBrief } : undefined
  } catch {
    // The file is empty between the locking and the writing of the holder.
    return undefined
  }
}

// A killed process counts as alive until its parent has reaped it, and its id may have been reused. So the result
// decides how long to wait, never whether to wait.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Kills embedded ClickHouses whose parent is gone and that are frozen, so that they cannot end by themselves. */
function endOrphans(directory: DataDirectory): boolean {
  const orphans = orphansOf(lockHolders(directory.lock))
  for (const { pid } of orphans) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile, or belongs to another user; then the error message names it.
    }
  }
  return orphans.length > 0
}

function warnOfWait({ root, lock }: DataDirectory, holder: Holder): void {
  const [by] = whoHolds(lock, holder)
  const seconds = waitForBriefMs / 1000
  process.emitWarning(
    `The data directory ${root} is briefly in use by ${by}, for example for a backup. Waiting for at most ${seconds} s.`,
    'PlanspanWarning',
  )
}

function inUse({ root, lock }: DataDirectory, noted: Holder | undefined): PlanspanError {
  const [by, advice = 'Stop that process, talk to it over HTTP, or name another directory.'] = whoHolds(lock, noted)
  return new PlanspanError('data_directory_in_use', `The data directory ${root} is in use by ${by}. ${advice}`)
}

function whoHolds(lock: string, noted: Holder | undefined): [by: string, advice?: string] {
  const holders = lockHolders(lock)
  const since = noted && ` since ${noted.since}`
  if (noted?.pid === process.pid) return [`this process${since}`]
  const server = holders.find(({ isEngine }) => !isEngine)
  if (server) return [`process ${server.pid}${server.pid === noted?.pid ? since : ''} (${server.command})`]
  const [orphan] = orphansOf(holders)
  if (orphan) {
    return [
      `process ${orphan.pid}, the ClickHouse of a planspan that has ended`,
      `It does not end by itself: kill it (kill -9 ${orphan.pid}), or name another directory.`,
    ]
  }
  // The holder belongs to another user or container, or the system does not list it.
  if (!noted) return ['another process']
  if (isAlive(noted.pid)) return [`process ${noted.pid}${since}`]
  return [
    `a child of process ${noted.pid}${since}, which has ended, or by a process that is not visible from here`,
    `Find that process (lsof ${lock}) and stop it, or name another directory.`,
  ]
}
