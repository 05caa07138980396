import type { SpanDraft } from './span-draft.js'
import type { JsonNode, JsonStyle } from '../json/index.js'
import type { RecordObject } from '../record-object/index.js'
import type { SpanNode } from '../tree/index.js'

/** The record formats that can be read and written, by their names. */
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

/** Facts beside the document that encoding a record may need. */
export interface EncodeContext {
  /** The IANA zone of times that are written without one. */
  readonly timeZone: string
  /** SHA-256 of the record's exact bytes, hex. */
  readonly digest: string
  /** The record's place among equal ones of its file, from 0. */
  readonly ordinal: number
}

/** A dialect's reading of one document, before its spans have ids. */
export interface DialectRecord {
  /** The format generation, for a dialect that has had several; '' otherwise. */
  readonly era: string
  /** The record's name across its generations; absent where the document has no such name. */
  readonly key: string | undefined
  /** The record's own plan id, where it has one. */
  readonly planId: string | undefined
  readonly rootPlanId: string | undefined
  readonly draft: SpanDraft
}

/** One generation of a record format: its objects, and the layout of its files. */
export interface Era {
  readonly objects: Readonly<Record<string, RecordObject>>
  readonly style: JsonStyle
}

/** One system's record format: what is peculiar to it, and nothing else. */
export interface Dialect {
  readonly name: DialectName
  readonly eras: Readonly<Record<string, Era>>
  /**
   * Whether a document is of this dialect, told by its content. Of a framed dialect it is shown the first item (a
   * line's value, an event's frame) in place of the document.
   */
  detect(document: JsonNode): boolean
  /** Reads a document; a framed one is an array of its items. */
  encode(document: JsonNode, context: EncodeContext): DialectRecord
  /** The canonical document of a record's root span; each object that is a span's carries its id as `origin`. */
  decode(node: SpanNode, era: string): JsonNode
  /** The style of canonical records of an era. Its framing tells how a file of the dialect is cut. */
  style(era: string): JsonStyle
  /**
   * The document that this dialect makes of spans that it did not write: a live plan's, or a record's of another
   * dialect, as far as its content goes.
   */
  convert(node: SpanNode): JsonNode
}
