import { stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import process from 'node:process'
import type { Server, TlsOptions, TLSSocket } from 'node:tls'

import { isLoopback } from '../../access/index.js'
import type { CertificateReport } from '../../wire/index.js'
import { readPair, type Pair, type TlsFiles } from './read-pair.js'

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

const EVERY_MS = 60_000

/** Warns about failed TLS handshakes, at most once per minute for each server. */
function warnOfHandshakes(server: Server): void {
  let warnedAt = Number.NEGATIVE_INFINITY
  let unreported = 0
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    const words = WORDS[error.code ?? '']
    // Other failures are disconnected clients, scanners and the like.
    if (words === undefined) return
    unreported++
    const now = performance.now()
    if (now - warnedAt < EVERY_MS) return
    warnedAt = now
    const times = unreported === 1 ? 'A connection was' : `${unreported} connections were`
    unreported = 0
    process.emitWarning(
      `${times} refused; the last, from ${socket.remoteAddress ?? 'a client that is gone'}, ${words}`,
      'PlanspanWarning',
    )
  })
}

const WORDS: Readonly<Record<string, string>> = {
  ERR_SSL_HTTP_REQUEST: 'uses HTTP without TLS. Its endpoint must begin with https://.',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA:
    'does not trust the authority of the certificate. Set NODE_EXTRA_CA_CERTS or OTEL_EXPORTER_OTLP_CERTIFICATE in the client.',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'rejects the certificate.',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: 'rejects the certificate.',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'reports that the certificate has expired.',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'does not support TLS 1.2 or later.',
}

const ANY = new Set(['0.0.0.0', '::'])

/** Returns the host for the URLs of a server on an address, preferably one that its certificate is valid for. */
export function shownHost(host: string, certificate: Pick<Certificate, 'isFor' | 'name'> | undefined): string {
  const address = ANY.has(host) ? '127.0.0.1' : host
  const others = isLoopback(address) ? ['localhost', ...(ANY.has(host) ? [certificate?.name] : [])] : []
  const shown = [address, ...others].find((one) => one !== undefined && certificate?.isFor(one)) ?? address
  return shown.includes(':') ? `[${shown}]` : shown
}
