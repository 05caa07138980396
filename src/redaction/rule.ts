/** A kind of secret in running text. */
export interface Rule {
  /** One of these is in every text with such a secret, in lower case; looking for them is cheaper than the pattern. */
  readonly signs: readonly string[]
  /** No pattern can start inside its own match, so a hostile text costs linear time. */
  readonly pattern: RegExp
  /** Whether the first group is kept and only the rest masked. */
  readonly keepsFirst?: boolean
}

/** In a pattern: what follows is not masked yet. */
export const UNMASKED = String.raw`(?!\[REDACTED\])`
