import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'

import { PlanspanError } from '../error.js'
import { type DataDirectory, writing } from './data-directory.js'

/** The file in a cold directory that says whose it is. A disk that is not mounted lacks it. */
const MARK = 'planspan-cold.json'

/** What a data directory knows of its cold directory. */
interface Known {
  readonly id: string
  readonly directory: string
}

/** What a cold directory knows of its data directory. */
interface Mark {
  readonly id: string
  readonly data: string
}

/**
 * The directory, absolute, in which the data directory's cold data lies: the one that is asked for, else that of the
 * last start, which the data directory remembers. Undefined if there has never been one. Creates a new one if it is
 * missing. The caller holds the data directory's lock.
 * @throws PlanspanError `cold_data_missing` if known cold data is not there; `usage`, `data_directory_unwritable`,
 * `disk_full`
 */
export function openColdDirectory(data: DataDirectory, asked: string | undefined): string | undefined {
  const known = readJson<Known>(data.cold)
  if (known === undefined) return asked === undefined ? undefined : beginColdDirectory(data, resolve(asked))
  const directory = asked === undefined ? known.directory : resolve(asked)
  const mark = readJson<Mark>(join(directory, MARK))
  if (mark?.id !== known.id) throw isMissing(data, known, directory)
  if (mark.data !== data.root) {
    const other = readJson<Known>(join(mark.data, basename(data.cold)))
    if (other?.id === mark.id && other.directory === directory) throw isOfAnother(data, mark, directory)
    writeJson(directory, join(directory, MARK), { id: known.id, data: data.root } satisfies Mark)
  }
  if (directory !== known.directory) writeJson(data.root, data.cold, { id: known.id, directory } satisfies Known)
  return directory
}

/** The directory of the last start, wherever it is by now. */
export const knownColdDirectory = (data: DataDirectory): string | undefined => readJson<Known>(data.cold)?.directory

/** Whether a cold directory is a data directory's; false where it is none. */
export const isColdOf = (directory: string, root: string): boolean =>
  readJson<Mark>(join(directory, MARK))?.data === root

/** Empties a cold directory, so that it is none any more. */
export function removeColdData(directory: string): void {
  for (const name of ['store', 'shadow', MARK]) rmSync(join(directory, name), { recursive: true, force: true })
}

function beginColdDirectory(data: DataDirectory, directory: string): string {
  if (!relative(data.root, directory).startsWith('..') || !relative(directory, data.root).startsWith('..')) {
    throw new PlanspanError(
      'usage',
      `The cold data cannot lie in ${directory}, in one directory with the data (${data.root}). Name one on another disk.`,
    )
  }
  const mark = readJson<Mark>(join(directory, MARK))
  if (mark !== undefined && mark.data !== data.root) {
    throw new PlanspanError(
      'usage',
      `${directory} holds the cold data of ${mark.data}. Name another directory for that of ${data.root}.`,
    )
  }
  const id = mark?.id ?? randomUUID()
  writing(directory, () => mkdirSync(directory, { recursive: true, mode: 0o700 }))
  // Marked first: if this is cut off between the two, the next start finds the mark and goes on.
  writeJson(directory, join(directory, MARK), { id, data: data.root } satisfies Mark)
  writeJson(data.root, data.cold, { id, directory } satisfies Known)
  return directory
}

function isMissing(data: DataDirectory, known: Known, directory: string): PlanspanError {
  const advice =
    directory === known.directory
      ? 'Mount its disk; or, if it lies elsewhere by now, name that directory as the cold one.'
      : `Move ${known.directory} with all that is in it there first, or go on with ${known.directory}.`
  return new PlanspanError(
    'cold_data_missing',
    `A part of the data of ${data.root} lies in ${known.directory}, and ${directory} does not hold it (${MARK} is not ` +
      `there, or another one). ${advice}`,
  )
}

const isOfAnother = (data: DataDirectory, mark: Mark, directory: string): PlanspanError =>
  new PlanspanError(
    'cold_data_missing',
    `${directory} holds the cold data of ${mark.data}, of which ${data.root} is a copy: two that write to it would destroy ` +
      `it. Copy it as well, and name the copy as the cold directory; or delete ${mark.data}, if the data has moved here.`,
  )

/** The JSON in a file; undefined if there is no such file. */
function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR'))
      return undefined
    throw new PlanspanError(
      'cold_data_missing',
      `${path}, which tells where a part of the data lies, cannot be read: ${String(cause)}. Restore it from a backup.`,
      { cause },
    )
  }
}

function writeJson(root: string, path: string, value: unknown): void {
  writing(root, () => {
    writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  })
}
