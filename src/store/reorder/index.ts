import { createStoreClient } from '../client.js'
import { reorder, type Reordered, type ReorderOptions } from './reorder.js'

export type { Reordered, ReorderOptions, ReorderStage } from './reorder.js'

/** A step may take minutes, since it computes the columns of every row that it copies. */
const STEP_TIMEOUT_MS = 3_600_000

/** Reorders the span table of a database at a URL, as `reorder` does. */
export async function reorderDatabase(
  { url, database }: { readonly url: string; readonly database: string },
  options: ReorderOptions = {},
): Promise<Reordered | undefined> {
  const client = createStoreClient({ url, requestTimeoutMs: STEP_TIMEOUT_MS })
  try {
    return await reorder({ client, url, database }, options)
  } finally {
    await client.close()
  }
}
