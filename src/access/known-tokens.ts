import { timingSafeEqual } from 'node:crypto'
import { stat } from 'node:fs/promises'
import process from 'node:process'

import { PlanspanError } from '../error.js'
import { notReadable, readTokens } from './token-file.js'
import type { Token } from './token.js'

/** The interval at which the file is checked for changes. Network file systems send no events. */
const LOOK_MS = 1_000

/** The group may read the file, as with a mounted secret. */
const EXPOSED = 0o037

interface Known {
  readonly token: Token
  readonly hash: Buffer
}

/** The current tokens of a file; changes are picked up within two seconds. */
export class KnownTokens {
  readonly #path: string
  #byStart = new Map<string, Known>()
  #version = ''
  #failure: PlanspanError | undefined
  #isExposed = false
  #looks = Promise.resolve()
  #isLooking = false
  #timer: NodeJS.Timeout | undefined
  #onLook = (): void => {}

  private constructor(path: string) {
    this.#path = path
  }

  /** Reads the file, and checks it for changes until `close`. Throws `tokens_unreadable`. */
  static async open(path: string): Promise<KnownTokens> {
    const tokens = new KnownTokens(path)
    await tokens.look()
    if (tokens.#failure) throw tokens.#failure
    // On a network file system, a check may take long.
    const lookAgain = (): void => {
      if (!tokens.#isLooking) void tokens.look()
    }
    tokens.#timer = setInterval(lookAgain, LOOK_MS).unref()
    return tokens
  }

  /** The reason why no token is valid at the moment. */
  get failure(): PlanspanError | undefined {
    return this.#failure
  }

  /** Whether users other than the file's owner may read or change it. */
  get isExposed(): boolean {
    return this.#isExposed
  }

  get all(): Token[] {
    return [...this.#byStart.values()].map(({ token }) => token)
  }

  /** Sets the callback that runs after each check of the file. */
  set onLook(callback: () => void) {
    this.#onLook = callback
  }

  /** Finds a token by its hash. Timing reveals at most the start of a hash, from which no token can be derived. */
  find(hash: Buffer): Token | undefined {
    const known = this.#byStart.get(startOf(hash))
    return known && timingSafeEqual(known.hash, hash) ? known.token : undefined
  }

  /** Reads the file again if it has changed. */
  look(): Promise<void> {
    this.#looks = this.#looks.then(() => this.#look())
    return this.#looks
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    try {
      const { mtimeNs, ctimeNs, ino, size, mode } = await stat(this.#path, { bigint: true })
      const version = `${mtimeNs} ${ctimeNs} ${ino} ${size}`
      if (version === this.#version) return
      const tokens = await readTokens(this.#path)
      this.#isExposed = process.platform !== 'win32' && (Number(mode) & EXPOSED) !== 0
      if (this.#isExposed) warnOfReaders(this.#path)
      this.#take(tokens)
      this.#version = version
      this.#failure = undefined
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#isLooking = false
      this.#onLook()
    }
  }

  #take(tokens: readonly Token[]): void {
    const known = tokens.map((token): Known => ({ token, hash: Buffer.from(token.hash, 'base64url') }))
    this.#byStart = new Map(known.map((one) => [startOf(one.hash), one]))
  }

  /** Rejects all tokens: they may have been revoked since the last successful read. */
  #fail(error: unknown): void {
    const isNew = this.#failure === undefined
    this.#failure = error instanceof PlanspanError ? error : notReadable(this.#path, error)
    if (isNew && this.#timer) {
      process.emitWarning(`${this.#failure.message} All requests are rejected until it can be.`, 'PlanspanWarning')
    }
    this.#byStart = new Map()
    this.#version = ''
  }
}

const startOf = (hash: Buffer): string => hash.toString('latin1', 0, 8)

const warnOfReaders = (path: string): void =>
  process.emitWarning(`Other users can read or change ${path}. Run \`chmod 600 ${path}\`.`, 'PlanspanWarning')
