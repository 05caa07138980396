import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

import { PlanspanError } from '../error.js'
import { isColdOf, knownColdDirectory, openColdDirectory, removeColdData } from './cold-directory.js'
import { type DataDirectory, hasStore, openDataDirectory, writing } from './data-directory.js'
import { lockDirectory } from './directory-lock.js'
import { locateEngine } from './engine.js'
import { syncDisks } from './file-lock.js'

/** A store that is put together beside the place where it is to be. */
export interface Restoring {
  /** A data directory of its own. */
  readonly directory: DataDirectory
  readonly cold: string | undefined
  /** Makes it the store of the data directory, once the disks have it. */
  finish(): void
  /** Removes what is not finished, and lets others have the data directory. */
  end(): void
}

/**
 * Begins a store in a data directory that has none. Its lock is held until the end. Throws `conflict` where there is a
 * store, or a cold directory that is not empty, and what `startClickHouse` throws of a directory.
 */
export async function beginRestore(dataDirectory: string, coldDirectory: string | undefined): Promise<Restoring> {
  checkEmpty(dataDirectory)
  const target = openDataDirectory(dataDirectory)
  const engine = locateEngine()
  const lock = await lockDirectory(target, engine)
  try {
    checkEmpty(dataDirectory)
    removeUnfinished(target)
    const cold = coldDirectory === undefined ? undefined : resolve(coldDirectory)
    if (cold !== undefined) checkColdEmpty(cold)
    const directory = openDataDirectory(target.restoring)
    openColdDirectory(directory, cold)
    return {
      directory,
      cold,
      finish: () =>
        writing(target.root, () => {
          syncDisks(engine)
          // The store comes last: with it, the restore has ended, whatever happens then.
          for (const path of [directory.credentials, directory.ports, directory.cold, directory.store]) {
            if (existsSync(path)) renameSync(path, join(target.root, basename(path)))
          }
          rmSync(target.restoring, { recursive: true })
          syncDisks(engine)
        }),
      end() {
        removeUnfinished(target)
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Throws `conflict` where a restore was cut off: its store is not whole, and an empty one would be in its way. What one
 * has left that was cut off at its very end is removed. The caller holds the directory's lock.
 */
export function checkRestored(directory: DataDirectory): void {
  const { root, restoring } = directory
  if (!existsSync(restoring)) return
  if (hasStore(root)) return removeUnfinished(directory)
  throw new PlanspanError(
    'conflict',
    `A restore into ${root} was cut off. Run \`planspan restore\` again, which begins anew; or delete ${restoring} to ` +
      'begin with an empty store.',
  )
}

function removeUnfinished(directory: DataDirectory): void {
  const { root, restoring } = directory
  if (!existsSync(restoring)) return
  writing(root, () => {
    // It may have been cut off between the moves of its files.
    const unfinished = hasStore(root) ? [] : [openDataDirectory(restoring), directory]
    for (const one of unfinished) {
      const cold = knownColdDirectory(one)
      if (cold === undefined || !isColdOf(cold, restoring)) continue
      removeColdData(cold)
      rmSync(one.cold)
    }
    rmSync(restoring, { recursive: true })
  })
}

function checkEmpty(path: string): void {
  if (!hasStore(path)) return
  throw new PlanspanError(
    'conflict',
    `${path} holds a store, and nothing is restored over it. Name another directory with --data, or move it away first.`,
  )
}

/** What a file system puts there itself. */
const NOTHING = new Set(['lost+found'])

function checkColdEmpty(path: string): void {
  const found = existsSync(path) ? readdirSync(path).filter((name) => !NOTHING.has(name)) : []
  if (found.length === 0) return
  throw new PlanspanError('conflict', `${path} is not empty, so cold data cannot go there. Name another --cold-data.`)
}
