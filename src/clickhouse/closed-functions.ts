import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type DataDirectory, writing } from './data-directory.js'

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
      writeFileSync(join(directory.functions, `function_${name}.sql`), text)
    }
  })
}

/** Returns queries that reveal a file, in their result or in an error, unless those functions are closed. */
export function queriesOfFile(path: string): string[] {
  const file = `'${path.replaceAll(/[\\']/g, String.raw`\$&`)}'`
  const row = (name: string) => `SELECT * FROM (SELECT ${name}('Template', 1) SETTINGS format_template_row = ${file})`
  return [`SELECT file(${file})`, row('formatRow'), row('formatRowNoNewline')]
}
