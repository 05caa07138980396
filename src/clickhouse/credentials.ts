import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

import { PlanspanError } from '../error.js'
import { openDataDirectory, replaceFile, writing, type DataDirectory } from './data-directory.js'
import { rememberedPorts } from './ports.js'

/** The user who owns the store. */
export const writerName = 'planspan'
/** The read-only user, for dashboards. */
export const readerName = 'planspan_reader'

/** The read-only user of a tenant, who may read its database alone. */
export const readerNameOf = (database: string): TenantReader => `${readerName}_${database}`
type TenantReader = `${typeof readerName}_${string}`

/** The password of each user. */
export interface Credentials {
  readonly [writerName]: string
  readonly [readerName]: string
  readonly [tenantReader: TenantReader]: string
}

/** Returns the databases with a separate reader. */
export const tenantsOf = (credentials: Credentials): string[] =>
  Object.keys(credentials).flatMap((name) => (isTenantReader(name) ? name.slice(readerNameOf('').length) : []))

const isTenantReader = (name: string): name is TenantReader => name.startsWith(readerNameOf(''))

export const urlOf = (name: string, password: string, { http }: { readonly http: number }): string =>
  `http://${name}:${password}@127.0.0.1:${http}`

/** Adds a reader for a tenant's database, effective from the next start. */
export function addReader(directory: DataDirectory, database: string): void {
  const name = readerNameOf(database)
  const credentials = readOrCreateCredentials(directory)
  if (credentials[name] === undefined) writeCredentials(directory, { ...credentials, [name]: randomPassword() })
}

export function removeReader(directory: DataDirectory, database: string): void {
  const { [readerNameOf(database)]: _gone, ...left } = readOrCreateCredentials(directory)
  writeCredentials(directory, left)
}

/** Reads the passwords of a data directory; the first call generates them. The caller holds the directory's lock. */
export function readOrCreateCredentials(directory: DataDirectory): Credentials {
  return existsSync(directory.credentials) ? readCredentials(directory) : createCredentials(directory)
}

function readCredentials(directory: DataDirectory): Credentials {
  const text = writing(directory.root, () => readFileSync(directory.credentials, 'utf8'))
  const credentials = parseCredentials(text)
  if (credentials !== undefined) return credentials
  throw new PlanspanError(
    'data_directory_unwritable',
    `${directory.credentials} holds no passwords for ${writerName} and ${readerName}. ` +
      'Delete the file; the next start makes up new ones.',
  )
}

function parseCredentials(text: string): Credentials | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { [writerName]: writer, [readerName]: reader, ...others } = value as Partial<Record<string, unknown>>
  if (typeof writer !== 'string' || typeof reader !== 'string') return undefined
  const readers = Object.entries(others).filter(
    (entry): entry is [TenantReader, string] => isTenantReader(entry[0]) && typeof entry[1] === 'string',
  )
  return { ...Object.fromEntries(readers), [writerName]: writer, [readerName]: reader }
}

function createCredentials(directory: DataDirectory): Credentials {
  const credentials = { [writerName]: randomPassword(), [readerName]: randomPassword() }
  writeCredentials(directory, credentials)
  return credentials
}

function writeCredentials(directory: DataDirectory, credentials: Credentials): void {
  replaceFile(directory.root, directory.credentials, `${JSON.stringify(credentials, null, 2)}\n`)
}

function randomPassword(): string {
  return randomBytes(24).toString('base64url')
}

/** An embedded ClickHouse that another process runs. */
interface FoundClickHouse {
  /** The writer's URL. */
  readonly url: string
  readonly httpPort: number
  readonly nativePort: number
  readonly credentialsFile: string
}

/** Finds the ClickHouse that last ran on a data directory. Returns undefined if it never ran there. */
export function findRunning(dataDirectory: string): FoundClickHouse | undefined {
  if (!existsSync(dataDirectory)) return undefined
  const directory = openDataDirectory(dataDirectory)
  const { http, native } = rememberedPorts(directory)
  if (http === 0) return undefined
  const { [writerName]: password } = readOrCreateCredentials(directory)
  const url = urlOf(writerName, password, { http })
  return { url, httpPort: http, nativePort: native, credentialsFile: directory.credentials }
}

/** Adds or removes the reader of a tenant's database, effective from the next start. Returns the reader's name. */
export function changeReaders(change: 'add' | 'remove', dataDirectory: string, database: string): string {
  const directory = openDataDirectory(dataDirectory)
  if (change === 'add') addReader(directory, database)
  else removeReader(directory, database)
  return readerNameOf(database)
}
