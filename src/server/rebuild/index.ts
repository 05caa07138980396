export type { Candidate } from './compare-traces.js'
export { START, advance, numberOf, readCursor, writeCursor, readFeed } from './read-feed.js'
export type { Cursor, FeedRead, FeedTarget, FeedTask, KnownSpans, SpanChanges } from './read-feed.js'
export { encodeInTurn } from './encode-file.js'
export type { ReadyRecord, RefusedRecord, EncodedFile } from './encode-file.js'
export { Rebuilder } from './rebuilder.js'
export { receiveInTurn, requestWorkers } from './request-receiver.js'
export type {
  Body,
  ExportedRecord,
  OnlyRecordTask,
  RebuiltEvents,
  RebuiltRecord,
  RecordTask,
  ResultOf,
  TaskOf,
} from './work.js'
export { WorkerPool } from './worker-pool.js'
