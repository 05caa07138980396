import { readFileSync } from 'node:fs'

import { PlanspanError } from '../../error.js'
import { ATTR, EVENTS, LINK_TYPES, OPERATIONS, PENDING } from '../../semconv/index.js'

const LITERALS: Readonly<Record<string, string>> = {
  PENDING,
  ...named('ATTR', ATTR),
  ...named('EVENTS', EVENTS),
  ...named('LINK_TYPES', LINK_TYPES),
  ...named('OPERATIONS', OPERATIONS),
}

function named(list: string, constants: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(constants).map(([name, value]) => [`${list}.${name}`, value]))
}

/** Reads an SQL file of the store, with its attribute keys (`${ATTR.planId}`) and constants filled in as literals. */
export function readSql(file: string): string {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  return text.replaceAll(/\$\{([A-Z]\w*(?:\.\w+)?)\}/g, (placeholder, name: string) => {
    const literal = LITERALS[name]
    if (literal === undefined)
      throw new PlanspanError('usage', `src/store/${file} contains the unknown placeholder ${placeholder}.`)
    return `'${literal}'`
  })
}

/** Fills in the placeholders `${name}`. Placeholders without a value stay. */
export const fillSql = (sql: string, values: Readonly<Record<string, string>>): string =>
  sql.replaceAll(/\$\{([a-z]\w*)\}/g, (placeholder, name: string) => values[name] ?? placeholder)

/** Splits a file into statements at the semicolons that end a line. */
export const splitSql = (sql: string): string[] =>
  sql
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^\s*--.*$/gm, '').trim() !== '')

/** Throws `usage` for a database name that would need quoting. */
export function checkDatabaseName(database: string): void {
  if (/^[A-Za-z_]\w*$/.test(database)) return
  throw new PlanspanError(
    'usage',
    `${JSON.stringify(database)} is not a valid database name. Use letters, digits and _, and do not begin with a digit.`,
  )
}

/** Returns a text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Returns an array of texts as an SQL literal. */
export const listLiteral = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`
