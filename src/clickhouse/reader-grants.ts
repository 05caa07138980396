import { readdirSync } from 'node:fs'

import { type DataDirectory, writing } from './data-directory.js'

// ClickHouse shows every user the functions, settings and the like, and the databases, tables and columns that the user
// may read. These grants add the tables' structure, indexes and sizes and the information schema, which also contain
// only what the user may read, and the names of volumes.
const systemGrants = [
  'GRANT SHOW ON system.*',
  'GRANT SELECT ON system.data_skipping_indices',
  'GRANT SELECT ON system.parts',
  'GRANT SELECT ON system.storage_policies',
  'GRANT SELECT ON information_schema.*',
  'GRANT SELECT ON INFORMATION_SCHEMA.*',
]
const systemDatabases = new Set(['system', 'information_schema', 'INFORMATION_SCHEMA'])

export interface ReaderGrantsOptions {
  /** Whether to leave out existing databases that are not named. @default false */
  readonly isNamedAlone?: boolean
  /** Databases with separate readers, left out unless named. @default none */
  readonly tenants?: readonly string[]
}

/** Returns the reader's grants: SELECT on the existing and the named databases, where `name*` is a prefix. */
export function readerGrants(
  directory: DataDirectory,
  named: readonly string[],
  { isNamedAlone = false, tenants = [] }: ReaderGrantsOptions = {},
): string[] {
  const stored = isNamedAlone ? [] : storedDatabases(directory).filter((name) => !tenants.includes(name))
  return grantsOn([...stored.map(quote), ...named.map(quotePattern)])
}

/** Returns the grants of a tenant's reader. */
export const tenantGrants = (database: string): string[] => grantsOn([quote(database)])

const grantsOn = (databases: readonly string[]): string[] =>
  [...new Set(databases)].map((database) => `GRANT SELECT ON ${database}.*`).concat(systemGrants)

/** Returns the databases in a data directory, except ClickHouse's own. */
function storedDatabases({ root, metadata }: DataDirectory): string[] {
  return writing(root, () => readdirSync(metadata))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => decodeURIComponent(file.slice(0, -'.sql'.length)))
    .filter((name) => !systemDatabases.has(name))
}

const quotePattern = (name: string) => (name.endsWith('*') ? `${quote(name.slice(0, -1))}*` : quote(name))

const quote = (name: string) => `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``
