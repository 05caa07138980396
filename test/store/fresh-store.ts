import { createStore, type Store } from '../../src/store/index.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { indexAll } from '../support/index-all.js'

export interface FreshStore {
  readonly store: Store
  readonly fresh: FreshDatabase
  /** Indexes all stored spans, as the store itself does before it reads rows. */
  index(): Promise<void>
  close(): Promise<void>
}

/** planspan's schema in a separate database for the test. */
export async function freshStore(): Promise<FreshStore> {
  const fresh = await freshDatabase()
  const store = createStore({ ...fresh, indexed: () => index() })
  const index = (): Promise<void> => indexAll({ client: store.client, url: fresh.url, database: fresh.database })
  await store.migrate()
  return {
    store,
    fresh,
    index,
    async close() {
      await store.close()
      await fresh.drop()
    },
  }
}
