import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { openColdDirectory } from './cold-directory.js'
import { checkDataDirectory, type DataDirectory, openDataDirectory, writing } from './data-directory.js'
import { lockDirectory } from './directory-lock.js'
import { locateEngine } from './engine.js'

/** A table with the parts that were set aside. */
export interface SetAside {
  /** `database.table`. */
  readonly table: string
  readonly parts: number
  /** The days, or first days of weeks, that were set aside. */
  readonly days: number
  /** The directories that contain them now, on each disk. */
  readonly directories: readonly string[]
}

/** The name of a part whose partition is a day or a week. */
const PART = /^(\d{4})(\d\d)(\d\d)_\d+_\d+_\d+(_\d+)?$/
const MS_PER_DAY = 86_400_000
/** ClickHouse's folder for the parts of a table that it must not read. */
const DETACHED = 'detached'

/** Decides whether to set a partition aside, by its start and end, Unix milliseconds. */
export type IsOdd = (from: number, until: number) => boolean

/**
 * Moves the parts of odd days to `detached`, which ClickHouse ignores, by renaming their folders: a store of too many
 * parts takes hours to start. Deletes nothing.
 * @throws PlanspanError `usage` without a ClickHouse store, `data_directory_in_use` while it runs, and the errors of
 * `startClickHouse` about directories
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
  /** The path of its parts, relative to a disk. */
  readonly path: string
  /** The number of days in a partition. */
  readonly days: number
}

/** The maximum days of a partition, by the function of its key. */
const DAYS: Readonly<Record<string, number>> = { toDate: 1, toMonday: 7, toStartOfWeek: 7, toStartOfMonth: 31 }

/** Returns the tables that are partitioned by day, week or month, according to their definitions. */
function tablesOf({ metadata }: DataDirectory): Table[] {
  return readdirSync(metadata, { withFileTypes: true })
    .filter((entry) => !entry.name.endsWith('.sql'))
    .flatMap(({ name: database }) =>
      readdirSync(join(metadata, database)).flatMap((file) => {
        const sql = file.endsWith('.sql') ? readFileSync(join(metadata, database, file), 'utf8') : ''
        const uuid = /^ATTACH TABLE .*? UUID '([\da-f-]{36})'/.exec(sql)?.[1]
        const days = DAYS[/^PARTITION BY (\w+)\(/m.exec(sql)?.[1] ?? '']
        if (uuid === undefined || days === undefined) return []
        const table = `${database}.${decodeURIComponent(file.slice(0, -'.sql'.length))}`
        return { table, path: join('store', uuid.slice(0, 3), uuid), days }
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

/** Returns an unused path. ClickHouse names a part that it detaches repeatedly in the same way. */
function free(path: string): string {
  for (let attempt = 0; ; attempt++) {
    const candidate = attempt === 0 ? path : `${path}_try${attempt}`
    if (!existsSync(candidate)) return candidate
  }
}
