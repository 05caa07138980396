export type { EndedCall } from './ended-calls.js'
export { Indexer, type IndexerOptions, type IndexerStatus } from './indexer.js'
export { type RunningIndexer, startIndexer, type StartIndexerOptions } from './start-indexer.js'
