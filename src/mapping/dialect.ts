import type { SpanDraft } from './draft.js'
import type { JsonNode, JsonObject } from './json/node.js'
import type { JsonStyle } from './json/style.js'
import type { SpanNode } from './tree.js'

export const DIALECT_NAMES = ['plan-execution'] as const
export type DialectName = (typeof DIALECT_NAMES)[number]

/** A dialect's reading of one document, before its spans have ids. */
export interface DialectRecord {
  /** The format generation, for a dialect that has had several. */
  readonly era: string
  /** What names the record across its generations; absent where the document has nothing of the kind. */
  readonly key: string | undefined
  /** The record's own plan id, where it has one. */
  readonly planId: string | undefined
  readonly rootPlanId: string | undefined
  readonly draft: SpanDraft
}

/** One system's record format: what is peculiar to it, and nothing else. */
export interface Dialect {
  readonly name: DialectName
  /** Whether a document is of this dialect, told by its content. */
  detect(document: JsonNode): boolean
  /** Reads a document; local times are in `timeZone`. */
  encode(document: JsonObject, options: { readonly timeZone: string }): DialectRecord
  /** The canonical document of a plan's or agent's span; each object that is a span's carries its id as `origin`. */
  decode(node: SpanNode, era: string): JsonObject
  /** The style of canonical records of an era. */
  style(era: string): JsonStyle
}
