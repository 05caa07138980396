import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

import { PlanspanError } from '../error.js'
import { type DataDirectory, writing } from './data-directory.js'

/** The user who owns the store. */
export const writerName = 'planspan'
/** The read-only user, for dashboards. */
export const readerName = 'planspan_reader'

/** The password of each user. */
export interface Credentials {
  readonly [writerName]: string
  readonly [readerName]: string
}

/** Reads the passwords of a data directory, generated at the first start. The caller holds the directory's lock. */
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
  const { [writerName]: writer, [readerName]: reader } = value as Partial<Record<string, unknown>>
  if (typeof writer !== 'string' || typeof reader !== 'string') return undefined
  return { [writerName]: writer, [readerName]: reader }
}

function createCredentials(directory: DataDirectory): Credentials {
  const credentials = { [writerName]: randomPassword(), [readerName]: randomPassword() }
  const unfinished = `${directory.credentials}.new`
  writing(directory.root, () => {
    writeFileSync(unfinished, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
    renameSync(unfinished, directory.credentials)
  })
  return credentials
}

function randomPassword(): string {
  return randomBytes(24).toString('base64url')
}
