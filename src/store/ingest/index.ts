export type { Encoding, WriteRequest } from './frame.js'
export type { WriteResult } from './isolate.js'
export { createSpanWriter } from './writer.js'
export type { SpanWriter, SpanWriterOptions } from './writer.js'
