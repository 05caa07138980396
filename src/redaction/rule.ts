/** A kind of secret in running text. */
export interface Rule {
  /** Every text with this secret contains at least one of these, in lower case. Searching for them is cheap. */
  readonly signs: readonly string[]
  /** No pattern can start inside its own match, so hostile text takes linear time. */
  readonly pattern: RegExp
  /** Whether the first group is kept and only the rest masked. */
  readonly keepsFirst?: boolean
}

/** In a pattern: what follows is not masked yet. */
export const UNMASKED = String.raw`(?!\[REDACTED\])`

/** The replacement of a masked value. */
export const MARKER = '[REDACTED]'
