import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

import { PlanspanError } from '../error.js'
import { isColdOf, knownColdDirectory, openColdDirectory, removeColdData } from './cold-directory.js'
import { type DataDirectory, hasStore, openDataDirectory, writing } from './data-directory.js'
import { lockDirectory } from './directory-lock.js'
import { locateEngine } from './engine.js'
import { syncDisks } from './file-lock.js'

/** A store that a restore builds beside its final place. */
export interface Restoring {
  /** The temporary data directory. */
  readonly directory: DataDirectory
  readonly cold: string | undefined
  /** Syncs the disks and moves the store to its final place. */
  finish(): void
  /** Removes an unfinished store and releases the data directory. */
  end(): void
}

/**
 * Begins a restore into a data directory without a store, and locks it until `end`.
 * @throws PlanspanError `conflict` if there is a store or the cold directory is not empty, and the errors of
 * `startClickHouse` about directories
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
          // The store comes last: once it is in place, the restore is complete.
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
 * Checks that no restore was interrupted, since a new empty store would be in its way. Removes the remains of a restore
 * that was interrupted after its store was in place. The caller holds the directory's lock.
 * @throws PlanspanError `conflict` after an interrupted restore
 */
export function checkRestored(directory: DataDirectory): void {
  const { root, restoring } = directory
  if (!existsSync(restoring)) return
  if (hasStore(root)) return removeUnfinished(directory)
  throw new PlanspanError(
    'conflict',
    `A restore into ${root} was interrupted. Run \`planspan restore\` again, which starts over; or delete ${restoring} to ` +
      'start with an empty store.',
  )
}

function removeUnfinished(directory: DataDirectory): void {
  const { root, restoring } = directory
  if (!existsSync(restoring)) return
  writing(root, () => {
    // The restore may have been interrupted while it moved its files.
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
    `${path} contains a store, which a restore does not overwrite. Name another directory with --data, or move the store away first.`,
  )
}

/** Directories that the file system itself creates. */
const SYSTEM_NAMES = new Set(['lost+found'])

function checkColdEmpty(path: string): void {
  const found = existsSync(path) ? readdirSync(path).filter((name) => !SYSTEM_NAMES.has(name)) : []
  if (found.length === 0) return
  throw new PlanspanError(
    'conflict',
    `${path} is not empty, so it cannot receive cold data. Name another directory with --cold-data.`,
  )
}
