import { isIP } from 'node:net'

import { KnownTokens } from './known-tokens.js'
import { Refusals, type RefusalCounts, type Refused } from './refusals.js'
import { DEFAULT_LIMITS, RequestLimit } from './request-limit.js'
import {
  hasExpired,
  hashOf,
  isSessionKey,
  isToken,
  sessionKeyOf,
  type Principal,
  type Scope,
  type Token,
} from './token.js'

/** The credentials of a request: a token, or a session key, which only allows reading. */
export interface Credentials {
  readonly token?: string | undefined
  readonly sessionKey?: string | undefined
}

/** An accepted request. */
export interface Admission {
  readonly principal: Principal
  /** Called once if the token expires or is revoked while the request is in progress. */
  set onEnd(end: () => void)
  /** Must be called when the request is done. Idempotent. */
  release(): void
}

/** A rejected request. */
export interface Refusal {
  readonly why: Refused
  readonly message: string
}

/** Token statistics, without token names. */
export interface AccessReport {
  readonly tokens: number
  /** The number of tokens that expire within two weeks. */
  readonly endSoon: number
  /** Whether users other than its owner may read or change the token file. */
  readonly isFileExposed: boolean
  readonly refused: RefusalCounts
}

const SOON_MS = 14 * 86_400_000

interface Open {
  readonly hash: Buffer
  readonly database: string | undefined
  onEnd: (() => void) | undefined
}

/** Authenticates requests with the tokens of a file. */
export class Gate {
  readonly #tokens: KnownTokens
  readonly #refusals = new Refusals()
  readonly #limits = new Map<string, RequestLimit>()
  readonly #open = new Set<Open>()

  private constructor(tokens: KnownTokens) {
    this.#tokens = tokens
    tokens.onLook = () => this.#endOutdated()
  }

  /** Throws `tokens_unreadable`. */
  static open = async (path: string): Promise<Gate> => new Gate(await KnownTokens.open(path))

  /** Accepts or rejects a request. `scope` is the required scope; undefined accepts any valid token. */
  admit(credentials: Credentials, { scope, from }: { scope: Scope | undefined; from: string }): Admission | Refusal {
    const now = Date.now()
    const refuse = (why: Refused, message: string, of?: string): Refusal => {
      this.#refusals.count(why, { of, from }, now)
      return { why, message }
    }
    const { failure } = this.#tokens
    if (failure) return refuse('unreadable', UNREADABLE)
    if (credentials.token === undefined && credentials.sessionKey === undefined) return refuse('missing', MISSING)
    const hash = hashOfCredentials(credentials)
    const token = hash && this.#tokens.find(hash)
    if (!token) return refuse('unknown', UNKNOWN)
    const { name } = token
    if (hasExpired(token, now)) return refuse('expired', `The token has expired at ${String(token.expiresAt)}.`, name)
    const scopes = credentials.token === undefined ? token.scopes.filter((one) => one === 'read') : token.scopes
    if (scope !== undefined && !scopes.includes(scope)) return refuse('scope', lacks(scope, scopes), name)
    const limit = this.#limitOf(token, now)
    if (!limit.take(now)) return refuse('limit', TOO_MANY, name)
    return this.#admission(hash, { ...token, scopes }, limit)
  }

  /** Counts a request that was rejected for another reason. */
  refuse(why: Refused, from: string): void {
    this.#refusals.count(why, { of: undefined, from }, Date.now())
  }

  /** Reads the token file now if it has changed. */
  look(): Promise<void> {
    return this.#tokens.look()
  }

  get report(): AccessReport {
    const { all, isExposed: isFileExposed } = this.#tokens
    const soon = Date.now() + SOON_MS
    const endSoon = all.filter((token) => hasExpired(token, soon)).length
    return { tokens: all.length, endSoon, isFileExposed, refused: { ...this.#refusals.counts } }
  }

  /** The databases that tokens name. */
  get databases(): string[] {
    return [...new Set(this.#tokens.all.flatMap(({ database }) => database ?? []))]
  }

  /** Whether a request whose token names this database is in progress. */
  isUsing(database: string): boolean {
    for (const one of this.#open) if (one.database === database) return true
    return false
  }

  close(): void {
    this.#tokens.close()
  }

  #admission(hash: Buffer, { name, scopes, database, expiresAt }: Token, limit: RequestLimit): Admission {
    const one: Open = { hash, database, onEnd: undefined }
    const open = this.#open
    open.add(one)
    return {
      principal: {
        name,
        scopes,
        ...(database !== undefined && { database }),
        ...(expiresAt !== undefined && { expiresAt }),
      },
      set onEnd(end: () => void) {
        one.onEnd = end
      },
      release() {
        if (open.delete(one)) limit.give()
      },
    }
  }

  #limitOf({ hash, perSecond, atOnce }: Token, now: number): RequestLimit {
    const limits = {
      perSecond: perSecond ?? DEFAULT_LIMITS.perSecond,
      atOnce: atOnce ?? DEFAULT_LIMITS.atOnce,
    }
    const known = this.#limits.get(hash)
    if (!known) {
      const limit = new RequestLimit(limits, now)
      this.#limits.set(hash, limit)
      return limit
    }
    known.limits = limits
    return known
  }

  #endOutdated(): void {
    const now = Date.now()
    const kept = new Set(this.#tokens.all.map(({ hash }) => hash))
    for (const hash of this.#limits.keys()) if (!kept.has(hash)) this.#limits.delete(hash)
    for (const { hash, onEnd } of this.#open) {
      if (!onEnd) continue
      const token = this.#tokens.find(hash)
      if (!token || hasExpired(token, now)) onEnd()
    }
  }
}

const hashOfCredentials = ({ token, sessionKey }: Credentials): Buffer | undefined => {
  if (token !== undefined) return isToken(token) ? hashOf(sessionKeyOf(token)) : undefined
  return sessionKey !== undefined && isSessionKey(sessionKey) ? hashOf(sessionKey) : undefined
}

const MISSING = 'This server requires a token. Send it as `Authorization: Bearer …`.'
const UNKNOWN = 'The token is unknown here: it belongs to another server, was revoked, or is incomplete.'
const UNREADABLE = 'This server cannot read its tokens at the moment. Its log contains the reason.'
const TOO_MANY = 'This token has too many requests. Send the request again later.'

const lacks = (scope: Scope, scopes: readonly Scope[]): string =>
  `This request requires the scope ${scope}; the token has ${scopes.length === 0 ? 'no scope that applies here' : scopes.join(', ')}.`

/** Whether an address can be reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
