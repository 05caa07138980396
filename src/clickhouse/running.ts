import { existsSync } from 'node:fs'

import { addReader, readerNameOf, readOrCreateCredentials, removeReader, urlOf, writerName } from './credentials.js'
import { openDataDirectory } from './data-directory.js'
import { rememberedPorts } from './port-memory.js'

/** An embedded ClickHouse that another process runs. */
export interface FoundClickHouse {
  /** As its writer. */
  readonly url: string
  readonly httpPort: number
  readonly nativePort: number
  readonly credentialsFile: string
}

/** The ClickHouse of a data directory, as its last start has left it there; undefined where there was none. */
export function findRunning(dataDirectory: string): FoundClickHouse | undefined {
  if (!existsSync(dataDirectory)) return undefined
  const directory = openDataDirectory(dataDirectory)
  const { http, native } = rememberedPorts(directory)
  if (http === 0) return undefined
  const { [writerName]: password } = readOrCreateCredentials(directory)
  const url = urlOf(writerName, password, { http })
  return { url, httpPort: http, nativePort: native, credentialsFile: directory.credentials }
}

/** Gives a tenant's database a reader of its own from the next start on, or takes it away; returns its name. */
export function changeReaders(change: 'add' | 'remove', dataDirectory: string, database: string): string {
  const directory = openDataDirectory(dataDirectory)
  if (change === 'add') addReader(directory, database)
  else removeReader(directory, database)
  return readerNameOf(database)
}
