import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { openColdDirectory } from './cold-directory.js'
import { checkDataDirectory, type DataDirectory, openDataDirectory, writing } from './data-directory.js'
import { lockDirectory } from './directory-lock.js'
import { locateEngine } from './engine.js'

/** A table of which parts were set aside. */
export interface SetAside {
  /** `database.table`. */
  readonly table: string
  readonly parts: number
  /** The days, or first days of weeks, that were set aside. */
  readonly days: number
  /** Where they lie now, on each disk. */
  readonly directories: readonly string[]
}

/** The name of a part of a partition that is a day, or begins with one. */
const PART = /^(\d{4})(\d\d)(\d\d)_\d+_\d+_\d+(_\d+)?$/
const MS_PER_DAY = 86_400_000
/** ClickHouse's own folder of a table for parts that it is not to read. */
const DETACHED = 'detached'

/** Whether a partition is to be set aside, by its first and its last moment, Unix milliseconds. */
export type IsOdd = (from: number, until: number) => boolean

/**
 * Moves the parts of odd days to where ClickHouse leaves them alone, `detached`, by renaming their folders: a store of
 * too many parts takes hours to come up. Nothing is deleted.
 * @throws PlanspanError `usage` where no ClickHouse has been, `data_directory_in_use` while one runs, and what
 * `startClickHouse` throws of a directory
 */
export async function setAsideParts(dataDirectory: string, isOdd: IsOdd): Promise<SetAside[]> {
  checkDataDirectory(dataDirectory)
  const directory = openDataDirectory(dataDirectory)
  const lock = await lockDirectory(directory, locateEngine())
  try {
    const cold = openColdDirectory(directory, undefined)
    const disks = [directory.store, ...(cold === undefined ? [] : [cold])]
    return tablesOf(directory).flatMap((table) => setAsideOf(table, disks, isOdd) ?? [])
  } finally {
    lock.release()
  }
}

function setAsideOf({ table, path, days }: Table, disks: readonly string[], isOdd: IsOdd): SetAside | undefined {
  const found = disks
    .map((disk) => join(disk, path))
    .filter((folder) => existsSync(folder))
    .map((folder) => ({ folder, names: readdirSync(folder).filter((name) => isOddPart(name, days, isOdd)) }))
    .filter(({ names }) => names.length > 0)
  if (found.length === 0) return undefined
  for (const { folder, names } of found) detach(folder, names)
  const names = found.flatMap((one) => one.names)
  return {
    table,
    parts: names.length,
    days: new Set(names.map((name) => name.slice(0, 8))).size,
    directories: found.map(({ folder }) => join(folder, DETACHED)),
  }
}

interface Table {
  readonly table: string
  /** Of its parts, on any disk. */
  readonly path: string
  /** How many days a partition has. */
  readonly days: number
}

/** The tables whose partitions are days or weeks, as the files that describe them say. */
function tablesOf({ metadata }: DataDirectory): Table[] {
  return readdirSync(metadata, { withFileTypes: true })
    .filter((entry) => !entry.name.endsWith('.sql'))
    .flatMap(({ name: database }) =>
      readdirSync(join(metadata, database)).flatMap((file) => {
        const sql = file.endsWith('.sql') ? readFileSync(join(metadata, database, file), 'utf8') : ''
        const uuid = /^ATTACH TABLE .*? UUID '([\da-f-]{36})'/.exec(sql)?.[1]
        const partition = /^PARTITION BY (toDate|toStartOfWeek|toMonday)\(/m.exec(sql)?.[1]
        if (uuid === undefined || partition === undefined) return []
        const table = `${database}.${decodeURIComponent(file.slice(0, -'.sql'.length))}`
        return { table, path: join('store', uuid.slice(0, 3), uuid), days: partition === 'toDate' ? 1 : 7 }
      }),
    )
}

function isOddPart(name: string, days: number, isOdd: IsOdd): boolean {
  const [, year, month, day] = PART.exec(name) ?? []
  if (year === undefined) return false
  const from = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return isOdd(from, from + days * MS_PER_DAY)
}

function detach(folder: string, names: readonly string[]): void {
  const aside = join(folder, DETACHED)
  writing(folder, () => {
    mkdirSync(aside, { recursive: true, mode: 0o700 })
    for (const name of names) renameSync(join(folder, name), free(join(aside, name)))
  })
}

/** A path at which nothing is; ClickHouse names what it detaches again in the same way. */
function free(path: string): string {
  for (let attempt = 0; ; attempt++) {
    const candidate = attempt === 0 ? path : `${path}_try${attempt}`
    if (!existsSync(candidate)) return candidate
  }
}
