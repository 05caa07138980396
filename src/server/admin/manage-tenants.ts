import { resolve } from 'node:path'

import { changeReaders } from '../../clickhouse/index.js'
import {
  createStore,
  type DatabaseDrift,
  dropDatabase,
  grantStatement,
  isPlanspanDatabase,
  listDatabases,
  type PlanspanDatabase,
  readDrifts,
} from '../../store/index.js'
import { type TenantsAt, withClickHouse } from './reach-clickhouse.js'

/** A tenant's database that is made. */
export interface CreatedTenant {
  readonly database: string
  /** The user of ClickHouse who may read this database alone. */
  readonly reader: string
  /** Where ClickHouse listens, for who is on the same machine; undefined for one that is not embedded. */
  readonly embedded:
    | {
        readonly httpPort: number
        readonly nativePort: number
        /** It has the reader's password. */
        readonly credentialsFile: string
        /** Whether the reader is there only after the next start of the server. */
        readonly isReaderToCome: boolean
      }
    | undefined
  /** What makes the reader in a ClickHouse that is not embedded. */
  readonly grant: string | undefined
}

/** Makes a tenant's database with planspan's tables, and its reader; what is there already stays. */
export const createTenant = (at: TenantsAt, database: string): Promise<CreatedTenant> =>
  withClickHouse(at, async ({ url, embedded }) => {
    // One that is there has its retention from a server, which upgrades it, too.
    if (!(await isPlanspanDatabase({ url, database }))) await makeTables(url, database)
    if (!embedded) {
      const reader = `planspan_reader_${database}`
      return { database, reader, embedded: undefined, grant: grantStatement('reader', database, reader) }
    }
    const reader = changeReaders('add', resolve(at.dataDirectory), database)
    const { isServed: isReaderToCome, ...ports } = embedded
    return { database, reader, embedded: { ...ports, isReaderToCome }, grant: undefined }
  })

async function makeTables(url: string, database: string): Promise<void> {
  const store = createStore({ url, database })
  try {
    await store.migrate()
  } finally {
    await store.close()
  }
}

/** All databases with planspan's tables. */
export const listTenants = (at: TenantsAt): Promise<PlanspanDatabase[]> =>
  withClickHouse(at, ({ url }) => listDatabases(url))

/** How all databases with planspan's tables differ from what this planspan makes. */
export const checkTenants = (at: TenantsAt): Promise<DatabaseDrift[]> =>
  withClickHouse(at, ({ url }) => readDrifts(url))

/** Drops a tenant's database with all that is stored there, and its reader. */
export const dropTenant = (at: TenantsAt, database: string): Promise<void> =>
  withClickHouse(at, async ({ url, embedded }) => {
    await dropDatabase({ url, database })
    if (embedded) changeReaders('remove', resolve(at.dataDirectory), database)
  })
