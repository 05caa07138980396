import { randomUUID } from 'node:crypto'
import { mkdirSync, existsSync, readlinkSync } from 'node:fs'
import { join, basename } from 'node:path'

import { replaceFile, writing, type DataDirectory } from './data-directory.js'

/**
 * The SQL functions that let any user read files, since functions are not subject to grants: clickhouse-local does not
 * confine `file` to a directory, and the others take paths from settings, which a SETTINGS clause in a subquery changes
 * regardless of `readonly`. https://github.com/ClickHouse/ClickHouse/issues/116028
 */
const closedFunctions = ['file', 'formatRow', 'formatRowNoNewline'] as const

/** Shadows each of them with a SQL function, which ClickHouse resolves first and loads from disk without a check. */
export function closeFunctions(directory: DataDirectory): void {
  writing(directory.root, () => {
    mkdirSync(directory.functions, { recursive: true })
    for (const name of closedFunctions) {
      const text = `CREATE FUNCTION ${name} AS x -> throwIf(true, 'planspan keeps ${name}() closed: it would reach files')\n`
      replaceFile(directory.root, join(directory.functions, `function_${name}.sql`), text)
    }
  })
}

/** Returns queries that reveal a file, in their result or in an error, unless those functions are closed. */
export function queriesOfFile(path: string): string[] {
  const file = `'${path.replaceAll(/[\\']/g, String.raw`\$&`)}'`
  const row = (name: string) => `SELECT * FROM (SELECT ${name}('Template', 1) SETTINGS format_template_row = ${file})`
  return [`SELECT file(${file})`, row('formatRow'), row('formatRowNoNewline')]
}

/**
 * Makes `default` an ordinary database and keeps its tables. By default clickhouse-local creates one there that exposes
 * the machine's files as tables.
 */
export function keepDefaultDatabase(directory: DataDirectory): void {
  writing(directory.root, () => {
    mkdirSync(directory.metadata, { recursive: true })
    const file = join(directory.metadata, 'default.sql')
    if (existsSync(file)) return
    const uuid = knownUuid(directory) ?? randomUUID()
    replaceFile(directory.root, file, `ATTACH DATABASE _ UUID '${uuid}'\nENGINE = Atomic\n`)
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
