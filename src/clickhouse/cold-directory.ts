import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'

import { PlanspanError } from '../error.js'
import { type DataDirectory, writing } from './data-directory.js'

/** The file in a cold directory that names its data directory. It is missing while the disk is not mounted. */
const MARK = 'planspan-cold.json'

/** A data directory's reference to its cold directory. */
interface Known {
  readonly id: string
  readonly directory: string
}

/** A cold directory's reference to its data directory. */
interface Mark {
  readonly id: string
  readonly data: string
}

/**
 * Opens the data directory's cold directory: the requested directory, or by default the directory of the last start,
 * which the data directory remembers. Creates the first cold directory. The caller holds the data directory's lock.
 * @returns the absolute path; undefined if there has never been a cold directory
 * @throws PlanspanError `cold_data_missing` if known cold data is missing; `usage`, `data_directory_unwritable`,
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

/** Returns the cold directory of the last start, which may be missing or moved by now. */
export const knownColdDirectory = (data: DataDirectory): string | undefined => readJson<Known>(data.cold)?.directory

/** Whether a directory is the cold directory of the data directory `root`. */
export const isColdOf = (directory: string, root: string): boolean =>
  readJson<Mark>(join(directory, MARK))?.data === root

/** Removes planspan's files from a cold directory, its mark included. */
export function removeColdData(directory: string): void {
  for (const name of ['store', 'shadow', MARK]) rmSync(join(directory, name), { recursive: true, force: true })
}

function beginColdDirectory(data: DataDirectory, directory: string): string {
  if (!relative(data.root, directory).startsWith('..') || !relative(directory, data.root).startsWith('..')) {
    throw new PlanspanError(
      'usage',
      `The cold data cannot be in ${directory}, because that directory and the data directory ${data.root} overlap. Name a directory on another disk.`,
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
  // The mark comes first: after a crash between the two writes, the next start finds the mark and continues.
  writeJson(directory, join(directory, MARK), { id, data: data.root } satisfies Mark)
  writeJson(data.root, data.cold, { id, directory } satisfies Known)
  return directory
}

function isMissing(data: DataDirectory, known: Known, directory: string): PlanspanError {
  const advice =
    directory === known.directory
      ? 'Mount its disk; or, if the data was moved, name its new directory as the cold directory.'
      : `Move ${known.directory} with its contents there first, or keep ${known.directory} as the cold directory.`
  return new PlanspanError(
    'cold_data_missing',
    `A part of the data of ${data.root} is in ${known.directory}, but ${directory} does not contain it (its ${MARK} is ` +
      `missing or belongs to other data). ${advice}`,
  )
}

const isOfAnother = (data: DataDirectory, mark: Mark, directory: string): PlanspanError =>
  new PlanspanError(
    'cold_data_missing',
    `${directory} contains the cold data of ${mark.data}, and ${data.root} is a copy of that data directory. Two servers ` +
      `that write to one cold directory would destroy it. Copy it as well and name the copy as the cold directory; or, if ` +
      `the data was moved here, delete ${mark.data}.`,
  )

/** Reads a JSON file; undefined if there is no such file. */
function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR'))
      return undefined
    throw new PlanspanError(
      'cold_data_missing',
      `${path}, which names the directory of a part of the data, cannot be read: ${String(cause)}. Restore it from a backup.`,
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
