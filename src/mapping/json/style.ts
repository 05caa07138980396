/** How a document of several items is divided: lines of JSON, or server-sent events. */
export type Framing = 'lines' | 'sse'

/** The layout and the escapes of a document. The default is compact JSON with as few escapes as possible. */
export interface JsonStyle {
  /** Absent for a document that is one JSON value. */
  readonly framing?: Framing
  /** One level of indentation. Absent if everything is on one line. */
  readonly indent?: string
  /** @default '\n' */
  readonly newline?: string
  /** The space after a key's colon. @default '' */
  readonly colon?: string
  /** The space after a comma, if everything is on one line. @default '' */
  readonly comma?: string
  /** Whether lists of numbers are on one line in an indented document. @default false */
  readonly flatNumbers?: boolean
  /** Whether characters beyond ASCII are escaped. @default false */
  readonly ascii?: boolean
  /** Whether escapes have upper-case hex digits. @default false */
  readonly upper?: boolean
  /** Whether the document starts with a byte order mark. @default false */
  readonly bom?: boolean
  /** White space around the document. @default '' */
  readonly head?: string
  readonly tail?: string
}
