import { stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import process from 'node:process'
import type { Server, TlsOptions } from 'node:tls'

import type { CertificateReport } from '../../wire/index.js'
import { readPair, type Pair, type TlsFiles } from './read-pair.js'
import { warnOfHandshakes } from './warn-of-handshakes.js'

/** The polling interval of the files. Network file systems send no change events. */
const LOOK_MS = 1_000
const DAY_MS = 86_400_000
/** The timeout of the handshake. */
const HANDSHAKE_MS = 20_000

/** The current certificate of files. A replaced certificate is used a second or two later. */
export class Certificate {
  readonly #files: TlsFiles
  readonly #servers = new Set<Server>()
  #pair: Pair
  #version: string
  #failure: string | undefined
  #isEndTold = false
  readonly #timer: NodeJS.Timeout

  private constructor(files: TlsFiles, pair: Pair, version: string) {
    this.#files = files
    this.#pair = pair
    this.#version = version
    this.#tellEnd()
    let isLooking = false
    const look = async (): Promise<void> => {
      // On a network disk, polling may be slow.
      if (isLooking) return
      isLooking = true
      await this.#look()
      isLooking = false
    }
    this.#timer = setInterval(() => void look(), LOOK_MS).unref()
  }

  /** Reads the files, and polls them until `close`. Throws `certificate_unusable`. */
  static async open(files: TlsFiles): Promise<Certificate> {
    const version = await versionOf(files)
    return new Certificate(files, await readPair(files), version)
  }

  /** The TLS options of a server. */
  get options(): TlsOptions {
    return { ...this.#context, handshakeTimeout: HANDSHAKE_MS }
  }

  /** Keeps a server's certificate up to date. Open connections are not affected. */
  keep(server: Server): void {
    this.#servers.add(server)
    server.once('close', () => this.#servers.delete(server))
    warnOfHandshakes(server)
  }

  /** Whether the certificate is valid for a name or an address. */
  isFor(host: string): boolean {
    const { leaf } = this.#pair
    return (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined
  }

  /** The first name of the certificate that is not a wildcard. */
  get name(): string | undefined {
    const names = this.#pair.leaf.subjectAltName?.split(', ') ?? []
    return names.find((name) => /^DNS:[\w.-]+$/.test(name))?.slice('DNS:'.length)
  }

  get report(): CertificateReport {
    const { starts, ends } = this.#times
    const soon = Math.min(14 * DAY_MS, (ends - starts) / 3)
    return {
      endsAt: new Date(ends).toISOString(),
      endsSoon: ends - Date.now() < soon,
      ...(this.#failure && { failure: this.#failure }),
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  get #context() {
    const { cert, key } = this.#pair
    return { cert, key, minVersion: 'TLSv1.2' } as const
  }

  get #times(): { starts: number; ends: number } {
    const { validFrom, validTo } = this.#pair.leaf
    return { starts: Date.parse(validFrom), ends: Date.parse(validTo) }
  }

  async #look(): Promise<void> {
    try {
      const version = await versionOf(this.#files)
      if (version === '' || version !== this.#version) {
        this.#take(await readPair(this.#files))
        this.#version = version
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#tellEnd()
  }

  #take(pair: Pair): void {
    this.#pair = pair
    this.#failure = undefined
    this.#isEndTold = false
    for (const server of this.#servers) server.setSecureContext(this.#context)
  }

  /** Files are replaced one after the other, so they are read again until they match. */
  #fail(error: unknown): void {
    const isNew = this.#failure === undefined
    this.#failure = error instanceof Error ? error.message : String(error)
    this.#version = ''
    if (isNew) warn(`${this.#failure} The certificate that was read before stays in use meanwhile.`)
  }

  #tellEnd(): void {
    const { endsAt, endsSoon } = this.report
    if (!endsSoon || this.#isEndTold) return
    this.#isEndTold = true
    const verb = Date.parse(endsAt) < Date.now() ? 'ended' : 'ends'
    warn(
      `The certificate in ${this.#files.cert} ${verb} at ${endsAt}. A newer one in its place is used without a restart.`,
    )
  }
}

/** Returns a fingerprint of the files; empty if a file is inaccessible. */
async function versionOf({ cert, key }: TlsFiles): Promise<string> {
  try {
    // stat follows links, so that a replaced link counts as a change.
    const stats = await Promise.all([cert, key].map((path) => stat(path, { bigint: true })))
    return stats.map(({ mtimeNs, ctimeNs, ino, size }) => `${mtimeNs} ${ctimeNs} ${ino} ${size}`).join(', ')
  } catch {
    return ''
  }
}

const warn = (message: string): void => process.emitWarning(message, 'PlanspanWarning')
