import type { EndedCalls } from './ended-calls.js'
import type { IndexerStatus } from './status.js'

/** The messages to the thread of the indexers. Each contains the id of an indexer under the name of its action. */
export type ToThread =
  | { readonly open: number; readonly url: string; readonly database: string }
  | { readonly catchUp: number; readonly call: number }
  | { readonly reindex: number; readonly traceIds: readonly string[] }
  | { readonly reprice: number }
  | { readonly close: number }

/** The messages from the thread of the indexers; `id` is the id of an indexer. */
export type FromThread =
  | { readonly caughtUp: number; readonly isIndexed: boolean }
  | { readonly status: IndexerStatus; readonly id: number }
  | { readonly calls: readonly EndedCalls[]; readonly id: number }
  | { readonly error: string; readonly id: number }
  | { readonly closed: number }
