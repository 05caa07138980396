/** How a document of several items is divided: into lines of JSON, or into server-sent events. */
export type Framing = 'lines' | 'sse'

/**
 * How a document is laid out and escaped. The default is compact JSON with every character that may stand raw left raw.
 */
export interface JsonStyle {
  /** Absent for a document that is one JSON value. */
  readonly framing?: Framing
  /** One level of indentation; absent: all on one line. */
  readonly indent?: string
  /** @default '\n' */
  readonly newline?: string
  /** Between a key's colon and its value. @default '' */
  readonly colon?: string
  /** After a comma, when all stands on one line. @default '' */
  readonly comma?: string
  /** Lists of numbers stand on one line where all else is indented. @default false */
  readonly flatNumbers?: boolean
  /** Characters beyond ASCII are escaped. @default false */
  readonly ascii?: boolean
  /** Escapes have upper-case hex digits. @default false */
  readonly upper?: boolean
  /** The document starts with a byte order mark. @default false */
  readonly bom?: boolean
  /** White space around the document. @default '' */
  readonly head?: string
  readonly tail?: string
}
