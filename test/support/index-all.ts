import { Indexer } from '../../src/indexer/index.js'
import type { QueryTarget } from '../../src/store/index.js'

/** Indexes all spans that a database holds. Throws the error of an indexer that fails. */
export async function indexAll({ client, url, database }: QueryTarget): Promise<void> {
  const errors: unknown[] = []
  const indexer = new Indexer({ target: { client, url, database }, onError: (error) => errors.push(error) })
  indexer.start()
  // What the first pass finds may ask for another one.
  await indexer.catchUp()
  await indexer.catchUp()
  await indexer.close()
  if (errors.length > 0) throw errors[0]
}
