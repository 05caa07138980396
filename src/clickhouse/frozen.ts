import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { PlanspanError } from '../error.js'
import { knownColdDirectory } from './cold-directory.js'
import { writing, type DataDirectory } from './data-directory.js'
import { locateEngine, type Engine } from './engine.js'
import { lockFile } from './file-lock.js'

/** The prefix of frozen names, which contain word characters only: ClickHouse escapes others in directory names. */
const PREFIX = 'planspan_backup_'

/** Creates a name under which ClickHouse links the files of its tables. */
export const newFrozenName = (): string => `${PREFIX}${randomBytes(8).toString('hex')}`

export const isFrozenName = (name: string): boolean => name.startsWith(PREFIX) && /^\w+$/.test(name)

/** Prepares a freeze of all tables under a name: copies the table definitions, which ClickHouse does not link. */
export function prepareFreeze(directory: DataDirectory, name: string): void {
  writing(directory.root, () => {
    ensureCounter(directory)
    copyDescriptions(directory, name)
  })
}

/**
 * Creates the counter that each of ClickHouse's freezes reads and writes. A freeze fails on an empty counter, which it
 * finds while another freeze creates the file, and always after a crash at that moment.
 */
function ensureCounter({ shadow }: DataDirectory): void {
  const counter = join(shadow, 'increment.txt')
  if (statSync(counter, { throwIfNoEntry: false })?.size) return
  mkdirSync(shadow, { recursive: true, mode: 0o700 })
  writeFileSync(counter, '0\n')
}

/** Copies the definitions of databases and tables to the directory of a frozen name. */
function copyDescriptions({ store, metadata, shadow }: DataDirectory, name: string): void {
  const uuidsIn = (folder: string): string[] =>
    readdirSync(join(store, folder))
      .filter((file) => file.endsWith('.sql'))
      .flatMap((file) => {
        const path = join(folder, file)
        copy(join(store, path), join(shadow, name, path))
        return (
          /^ATTACH \w+ (?:VIEW )?\S+ UUID '([\da-f-]{36})'/.exec(readFileSync(join(store, path), 'utf8'))?.[1] ?? []
        )
      })
  const folderOf = (uuid: string) => join('store', uuid.slice(0, 3), uuid)
  const databases = uuidsIn(metadata.slice(store.length + 1)).map(folderOf)
  for (const folder of databases
    .filter((one) => existsSync(join(store, one)))
    .flatMap(uuidsIn)
    .map(folderOf)) {
    const version = join(folder, 'format_version.txt')
    if (existsSync(join(store, version))) copy(join(store, version), join(shadow, name, version))
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  copyFileSync(from, to)
}

/** Returns the directories of a frozen name, on each disk. */
export function frozenDirectories(directory: DataDirectory, name: string): { hot: string; cold: string | undefined } {
  const cold = knownColdDirectory(directory)
  return { hot: join(directory.shadow, name), cold: cold && join(cold, 'shadow', name) }
}

/** Removes the links that killed backups left behind, unless a backup is running. */
export function removeFrozen(directory: DataDirectory, engine: Engine): void {
  const release = writing(directory.root, () => lockFile(directory.backupLock, engine))
  if (!release) return
  try {
    removeAllFrozen(directory)
  } finally {
    release()
  }
}

/** Removes the links of all frozen names. The caller holds the backup lock. */
function removeAllFrozen(directory: DataDirectory): void {
  const { hot, cold } = frozenDirectories(directory, '')
  for (const shadow of [hot, ...(cold === undefined ? [] : [cold])]) {
    const names = existsSync(shadow) ? readdirSync(shadow).filter(isFrozenName) : []
    for (const name of names) rmSync(join(shadow, name), { recursive: true, force: true })
  }
}

/**
 * Takes the lock that allows one backup of a data directory at a time, and removes what a killed backup left behind.
 * Returns the function that releases the lock.
 * @throws PlanspanError `data_directory_in_use` during another backup
 */
export function lockForBackup(directory: DataDirectory): () => void {
  const release = writing(directory.root, () => lockFile(directory.backupLock, locateEngine()))
  if (!release) {
    throw new PlanspanError(
      'data_directory_in_use',
      `Another backup of ${directory.root} is running. Wait until it has ended.`,
    )
  }
  removeAllFrozen(directory)
  return () => {
    removeAllFrozen(directory)
    release()
  }
}
