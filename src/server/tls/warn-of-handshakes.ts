import process from 'node:process'
import type { Server, TLSSocket } from 'node:tls'

const EVERY_MS = 60_000

/** Warns about failed TLS handshakes, at most once per minute for each server. */
export function warnOfHandshakes(server: Server): void {
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
