import type { EndedCalls } from './ended-calls.js'
import type { IndexerStatus } from './status.js'

/** What the thread of the indexers receives; `id` is that of an indexer. */
export type ToThread =
  | { readonly open: number; readonly url: string; readonly database: string }
  | { readonly catchUp: number; readonly call: number }
  | { readonly reindex: number; readonly traceIds: readonly string[] }
  | { readonly reprice: number }
  | { readonly close: number }

/** What it sends. */
export type FromThread =
  | { readonly caughtUp: number; readonly isIndexed: boolean }
  | { readonly status: IndexerStatus; readonly id: number }
  | { readonly calls: readonly EndedCalls[]; readonly id: number }
  | { readonly error: string; readonly id: number }
  | { readonly closed: number }
