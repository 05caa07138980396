export {
  areActive,
  findFreshParts,
  findKnownTraces,
  findTracesOfModels,
  type FreshPart,
  freshRowsOf,
  noteIndexed,
  type Positions,
  readPositions,
} from './fresh-parts.js'
export { BULK_ROLES, streamFreshRows, streamTraceRows, streamWholeSpans } from './index-rows.js'
export { noteFailures, noteOperations, noteSuperseded, readFailures, type ServiceOperation } from './notes.js'
export { readLinkedTraces, readPlanEnds } from '../records/linked-traces.js'
export { type IndexedGeneration, readGenerations, recordId } from './record-generations.js'
export { findShardFailure, findSpanSource, findSpreadTraces, type SpanSource } from './span-source.js'
export { countTraceRows, countTracesSince, tracesSince } from './traces-since.js'
export {
  readRowKeys,
  type RowChanges,
  type RowKey,
  type RowTableName,
  type WrittenRow,
  writeRows,
  writtenRow,
} from './write-rows.js'
