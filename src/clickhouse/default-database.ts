import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readlinkSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { type DataDirectory, writing } from './data-directory.js'

/**
 * Makes `default` an ordinary database and keeps its tables. By default clickhouse-local creates one there that exposes
 * the machine's files as tables.
 */
export function keepDefaultDatabase(directory: DataDirectory): void {
  writing(directory.root, () => {
    mkdirSync(directory.metadata, { recursive: true })
    const file = join(directory.metadata, 'default.sql')
    if (existsSync(file)) return
    const unfinished = `${file}.tmp`
    writeFileSync(unfinished, `ATTACH DATABASE _ UUID '${knownUuid(directory) ?? randomUUID()}'\nENGINE = Atomic\n`)
    renameSync(unfinished, file)
  })
}

// The database that clickhouse-local created has a link to its tables, but no metadata file.
function knownUuid({ metadata }: DataDirectory): string | undefined {
  try {
    return basename(readlinkSync(join(metadata, 'default')))
  } catch {
    return undefined
  }
}
