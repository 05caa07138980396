export { readDocument } from './read-document.js'
export { type BadRecord, type FoundRecord, RecordStream, type RecordStreamOptions } from './record-stream.js'
