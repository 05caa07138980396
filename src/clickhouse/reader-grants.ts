import { readdirSync } from 'node:fs'

import { type DataDirectory, writing } from './data-directory.js'

// Beside what ClickHouse opens to everybody (functions, settings and the like; databases, tables and columns as far as
// one may read them): what the tables of `system` look like, what tells of indexes and sizes, and the views of the SQL
// standard, all of which show only what one may read.
const systemGrants = [
  'GRANT SHOW ON system.*',
  'GRANT SELECT ON system.data_skipping_indices',
  'GRANT SELECT ON system.parts',
  'GRANT SELECT ON information_schema.*',
  'GRANT SELECT ON INFORMATION_SCHEMA.*',
]
const systemDatabases = new Set(['system', 'information_schema', 'INFORMATION_SCHEMA'])

/**
 * What the reader may do: select from the databases that are there and from those named; `name*` names all that begin
 * so.
 */
export function readerGrants(directory: DataDirectory, named: readonly string[]): string[] {
  const databases = [...storedDatabases(directory).map(quote), ...named.map(quotePattern)]
  return [...new Set(databases)].map((database) => `GRANT SELECT ON ${database}.*`).concat(systemGrants)
}

/** The databases that a data directory holds, ClickHouse's own aside. */
function storedDatabases({ root, metadata }: DataDirectory): string[] {
  return writing(root, () => readdirSync(metadata))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => decodeURIComponent(file.slice(0, -'.sql'.length)))
    .filter((name) => !systemDatabases.has(name))
}

const quotePattern = (name: string) => (name.endsWith('*') ? `${quote(name.slice(0, -1))}*` : quote(name))

const quote = (name: string) => `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``
