import { createStore, type Store } from '../../src/store/index.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { indexAll } from '../support/index-all.js'

export interface FreshStore {
  readonly store: Store
  readonly fresh: FreshDatabase
  /** Indexes all spans that are stored. */
  index(): Promise<void>
  close(): Promise<void>
}

/** planspan's schema in a database of the test's own. */
export async function freshStore(): Promise<FreshStore> {
  const fresh = await freshDatabase()
  const store = createStore(fresh)
  await store.migrate()
  return {
    store,
    fresh,
    index: () => indexAll({ client: store.client, url: fresh.url, database: fresh.database }),
    async close() {
      await store.close()
      await fresh.drop()
    },
  }
}
