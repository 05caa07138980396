import { createHash, randomBytes } from 'node:crypto'

/** The permissions of a token. */
export const SCOPES = ['ingest', 'read', 'delete'] as const
export type Scope = (typeof SCOPES)[number]

/** A stored token: its properties and its hash. */
export interface Token {
  /** Letters, digits and `.@_-`, so that it is safe in logs. */
  readonly name: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** The tenant's database. @default the server's own database */
  readonly database?: string
  /** ISO 8601. */
  readonly madeAt: string
  /** ISO 8601. @default the token does not expire */
  readonly expiresAt?: string
  /** The largest number of requests per second, and of concurrent requests. @default those of DEFAULT_LIMITS */
  readonly perSecond?: number
  readonly atOnce?: number
}

/** The sender of an accepted request. */
export type Principal = Pick<Token, 'name' | 'scopes' | 'database' | 'expiresAt'>

/** Identifies a planspan token to scanners of code and logs. */
const PREFIX = 'planspan_'

/** Generates a token with 256 random bits. */
export const newToken = (): string => PREFIX + randomBytes(32).toString('base64url')

/** Whether the text is formatted like a token. Other texts are rejected before hashing. */
export const isToken = (text: string): boolean => /^planspan_[\w-]{43}$/.test(text)

/** Whether the text is formatted like a session key. */
export const isSessionKey = (text: string): boolean => /^[\w-]{43}$/.test(text)

/**
 * Returns the key that a browser stores instead of a token. It is derived from the token by a one-way hash and is valid
 * as long as the token, so every server that knows the token accepts the key, and no server stores sessions.
 */
export const sessionKeyOf = (token: string): string => sha256(`planspan session ${token}`).toString('base64url')

/**
 * Returns the stored hash of a session key, and so of its token. Slow hashes protect passwords, which can be guessed;
 * 256 random bits can't be, however fast the hash is.
 */
export const hashOf = (sessionKey: string): Buffer => sha256(sessionKey)

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

export const hasExpired = ({ expiresAt }: Pick<Token, 'expiresAt'>, now: number): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= now
