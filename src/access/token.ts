import { createHash, randomBytes } from 'node:crypto'

/** What a token may be good for. */
export const SCOPES = ['ingest', 'read', 'delete'] as const
export type Scope = (typeof SCOPES)[number]

/** What is known of a token; not the token itself. */
export interface Token {
  /** Letters, digits and `.@_-`, so that it may stand in logs. */
  readonly name: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** The tenant's. @default the server's own database */
  readonly database?: string
  /** ISO 8601. */
  readonly madeAt: string
  /** ISO 8601; a token without it does not end by itself. */
  readonly expiresAt?: string
  /** How many requests it is good for, each second and at once. @default those of DEFAULT_LIMITS */
  readonly perSecond?: number
  readonly atOnce?: number
}

/** Whom a request comes from: all that is known of it once it is let in. */
export type Principal = Pick<Token, 'name' | 'scopes' | 'database' | 'expiresAt'>

/** By this, scanners of code and logs know a token of planspan. */
const PREFIX = 'planspan_'

/** 256 bits of chance. */
export const newToken = (): string => PREFIX + randomBytes(32).toString('base64url')

/** Whether a text has the form of a token. What has not is not even hashed. */
export const isToken = (text: string): boolean => /^planspan_[\w-]{43}$/.test(text)

/** Whether a text has the form of a session's key. */
export const isSessionKey = (text: string): boolean => /^[\w-]{43}$/.test(text)

/**
 * What a browser keeps in place of a token. It follows from the token, which does not follow from it, and is good for
 * as long: so any server that knows the token knows it, too, and none has to remember who signed in.
 */
export const sessionKeyOf = (token: string): string => sha256(`planspan session ${token}`).toString('base64url')

/**
 * What is kept of a session's key, and so of its token. A slow hash is for passwords, which people choose and others
 * guess; nobody guesses 256 bits of chance, however fast the hash.
 */
export const hashOf = (sessionKey: string): Buffer => sha256(sessionKey)

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

export const hasExpired = ({ expiresAt }: Pick<Token, 'expiresAt'>, now: number): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= now
