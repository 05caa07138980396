import type { SpanDraft } from './span-draft.js'
import type { JsonNode, JsonStyle } from '../json/index.js'
import type { RecordObject } from '../record-object/index.js'
import type { SpanNode } from '../tree/index.js'

/** The names of the record formats that can be read and written. */
export const DIALECT_NAMES = [
  'plan-execution',
  'trajectory',
  'trajectory:traj',
  'review-log',
  'plan-act:events',
  'plan-act:sse',
  'plan-act:session',
  'atif',
] as const

/** The name of a record format. */
export type DialectName = (typeof DIALECT_NAMES)[number]

/** Facts besides the document that encoding a record may need. */
export interface EncodeContext {
  /** The IANA zone of times without a zone. */
  readonly timeZone: string
  /** SHA-256 of the record's exact bytes, hex. */
  readonly digest: string
  /** The record's position among equal records in its file, from 0. */
  readonly ordinal: number
}

/** One document as read by a dialect, before its spans have ids. */
export interface DialectRecord {
  /** The generation of the format. Empty for a dialect with one generation. */
  readonly era: string
  /** The record's name, the same in all its generations. Absent if the document has no name. */
  readonly key: string | undefined
  /** The record's own plan id, if any. */
  readonly planId: string | undefined
  readonly rootPlanId: string | undefined
  readonly draft: SpanDraft
}

/** One generation of a record format: its objects, and the layout of its files. */
export interface Era {
  readonly objects: Readonly<Record<string, RecordObject>>
  readonly style: JsonStyle
}

/** The record format of one system. */
export interface Dialect {
  readonly name: DialectName
  readonly eras: Readonly<Record<string, Era>>
  /**
   * Whether a document is of this dialect. For a framed dialect, the document is the first item (a line's value, an
   * event's frame).
   */
  detect(document: JsonNode): boolean
  /** Reads a document. A framed document is an array of its items. */
  encode(document: JsonNode, context: EncodeContext): DialectRecord
  /** Returns the canonical document of a record's root span. An object with a span has its id as `origin`. */
  decode(node: SpanNode, era: string): JsonNode
  /** Returns the canonical style of an era, including the framing of its files. */
  style(era: string): JsonStyle
  /** The keys of the object in a document that may hold a carrier. Undefined if the format has no place for it. */
  readonly carrierIn?: readonly string[]
  /** Converts spans that were not written in this dialect, from a live plan or another dialect, to a document. */
  convert(node: SpanNode): JsonNode
}
