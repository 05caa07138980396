import { existsSync } from 'node:fs'

import { addReader, readerNameOf, readOrCreateCredentials, removeReader, urlOf, writerName } from './credentials.js'
import { openDataDirectory } from './data-directory.js'
import { rememberedPorts } from './port-memory.js'

/** An embedded ClickHouse that another process runs. */
export interface FoundClickHouse {
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
