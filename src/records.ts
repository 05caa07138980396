export * from './records/index.js'
export { decodeRecord, DIALECT_NAMES, encodeRecords, isDialectName } from './mapping/index.js'
export type {
  DecodedRecord,
  DecodeOptions,
  DialectName,
  EncodedRecord,
  EncodeOptions,
  RecordForm,
} from './mapping/index.js'
export type {
  AttributeValue,
  Span,
  SpanEvent,
  SpanKind,
  SpanLink,
  StatusCode,
  StoredSpan,
  Verdict,
} from './semconv/index.js'
