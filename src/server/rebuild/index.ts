export type { AskedPlan, Candidate } from './compare-traces.js'
export { START, advance, numberOf, readCursor, writeCursor } from './cursor.js'
export type { Cursor } from './cursor.js'
export type { ReadyRecord, RefusedRecord } from './encode-file.js'
export { encodeInTurn } from './file-encoder.js'
export type { EncodedFile } from './file-encoder.js'
export { readFeed } from './read-feed.js'
export type { FeedRead, FeedTarget, FeedTask } from './read-feed.js'
export { Rebuilder } from './rebuilder.js'
export { receiveInTurn, requestWorkers } from './request-receiver.js'
export type { KnownSpans, SpanChanges } from './span-changes.js'
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
