import { Indexer } from '../../src/indexer/index.js'
import type { QueryTarget } from '../../src/store/index.js'

/** Indexes all spans of a database. Throws the error of a failing indexer. */
export async function indexAll({ client, url, database }: QueryTarget): Promise<void> {
  const errors: unknown[] = []
  const indexer = new Indexer({ target: { client, url, database }, onError: (error) => errors.push(error) })
  indexer.start()
  // The first pass may find spans that need another pass.
  await indexer.catchUp()
  await indexer.catchUp()
  await indexer.close()
  if (errors.length > 0) throw errors[0]
}
