import { readFileSync } from 'node:fs'

const SECTION = /^-- name: (\w+)\n/m

/** The queries of a dashboard, from the .sql file of its name: each under a line `-- name: NAME`. */
export function readQueries(name: string): (query: string) => string {
  const [, ...parts] = readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8').split(SECTION)
  const queries = new Map<string, string>()
  for (let at = 0; at < parts.length; at += 2) queries.set(parts[at] ?? '', (parts[at + 1] ?? '').trim())
  return (query) => {
    const sql = queries.get(query)
    if (sql === undefined)
      throw new Error(`${name}.sql has no query "${query}". It has: ${[...queries.keys()].join(', ')}.`)
    return sql
  }
}
