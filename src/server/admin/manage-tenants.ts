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

/** A tenant's database. */
export interface CreatedTenant {
  readonly database: string
  /** The ClickHouse user that may read only this database. */
  readonly reader: string
  /** The local address of the embedded ClickHouse; undefined for an external ClickHouse. */
  readonly embedded:
    | {
        readonly httpPort: number
        readonly nativePort: number
        /** The file that contains the reader's password. */
        readonly credentialsFile: string
        /** Whether the reader is created only at the next start of the server. */
        readonly isReaderToCome: boolean
      }
    | undefined
  /** The SQL that creates the reader in an external ClickHouse. */
  readonly grant: string | undefined
}

/** Creates a tenant's database with planspan's tables, and its reader. Keeps existing data. */
export const createTenant = (at: TenantsAt, database: string): Promise<CreatedTenant> =>
  withClickHouse(at, async ({ url, embedded }) => {
    // The server sets the retention of an existing database, and upgrades it.
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

/** Lists the databases with planspan's tables. */
export const listTenants = (at: TenantsAt): Promise<PlanspanDatabase[]> =>
  withClickHouse(at, ({ url }) => listDatabases(url))

/** Returns how databases with planspan's tables differ from this version's schema. */
export const checkTenants = (at: TenantsAt): Promise<DatabaseDrift[]> =>
  withClickHouse(at, ({ url }) => readDrifts(url))

/** Drops a tenant's database with all its data, and its reader. */
export const dropTenant = (at: TenantsAt, database: string): Promise<void> =>
  withClickHouse(at, async ({ url, embedded }) => {
    await dropDatabase({ url, database })
    if (embedded) changeReaders('remove', resolve(at.dataDirectory), database)
  })
