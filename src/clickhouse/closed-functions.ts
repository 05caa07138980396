import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type DataDirectory, writing } from './data-directory.js'

/**
 * The functions that reach files for whoever calls them, since no grant governs functions: clickhouse-local confines
 * `file` to no directory, and the others take paths from settings, which a SETTINGS clause in a subquery changes
 * whatever `readonly` says. https://github.com/ClickHouse/ClickHouse/issues/116028
 */
const closedFunctions = ['file', 'formatRow', 'formatRowNoNewline'] as const

/** Puts a function of SQL in the place of each: ClickHouse looks there first, and takes names from disk as they are. */
export function closeFunctions(directory: DataDirectory): void {
  writing(directory.root, () => {
    mkdirSync(directory.functions, { recursive: true })
    for (const name of closedFunctions) {
      const text = `CREATE FUNCTION ${name} AS x -> throwIf(true, 'planspan keeps ${name}() closed: it would reach files')\n`
      writeFileSync(join(directory.functions, `function_${name}.sql`), text)
    }
  })
}

/** Queries that print a file, or what it holds in their error, wherever those functions are open. */
export function queriesOfFile(path: string): string[] {
  const file = `'${path.replaceAll(/[\\']/g, String.raw`\$&`)}'`
  const row = (name: string) => `SELECT * FROM (SELECT ${name}('Template', 1) SETTINGS format_template_row = ${file})`
  return [`SELECT file(${file})`, row('formatRow'), row('formatRowNoNewline')]
}
