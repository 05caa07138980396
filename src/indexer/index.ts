export type { EndedCall } from './ended-calls.js'
export { Indexer, type IndexerOptions, type IndexerStatus, lagSeconds } from './indexer.js'
export { openIndexers, type OpenIndexersOptions } from './open-indexers.js'
export type { RunningIndexer } from './start-indexer.js'
