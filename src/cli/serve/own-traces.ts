import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import type { TracerProvider } from '@opentelemetry/api'

import { PlanspanError } from '../../error.js'
import type { Log } from '../../server/index.js'
import { sendPlainTraces } from './plain-traces.js'
import { plural } from '../output/text-layout.js'

const LOSS_EVERY_MS = 60_000
/** The time limit for a response of the receiver, and for shutting down. */
const DELIVERY_MS = 5_000

/** The address on which the server listens. */
export interface OwnAddress {
  readonly host: string
  readonly port: number
}

export interface OwnTraces {
  readonly tracerProvider: TracerProvider
  /** Sends the remaining spans, within five seconds. */
  close(): Promise<void>
}

/**
 * Sends spans of the server's own work to an OTLP receiver. The requests ask not to be traced themselves, so that two
 * servers can send their traces to each other. Throws `usage` if the receiver is the server itself.
 */
export async function sendOwnTraces(endpoint: string, own: OwnAddress, log: Log): Promise<OwnTraces> {
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new PlanspanError(
      'usage',
      `--trace-endpoint takes the URL of an OTLP receiver, such as http://127.0.0.1:4319, not ${JSON.stringify(endpoint)}.`,
    )
  }
  if (await isAt(new URL(endpoint), own)) {
    throw new PlanspanError(
      'usage',
      `--trace-endpoint ${endpoint} is this server itself. Send its own traces to another server: a second ` +
        '`planspan serve` with its own --data and --port, or any other OTLP receiver.',
    )
  }
  const traces = await sendPlainTraces({
    endpoint,
    serviceName: 'planspan',
    headers: { traceparent: unsampledTraceparent() },
    timeoutMillis: DELIVERY_MS,
    what: '--trace-endpoint',
    onLoss: lossLogger(endpoint, log),
  })
  traces.enableContext()
  return {
    tracerProvider: traces.provider,
    async close() {
      const timeout = new Promise((resolve) => setTimeout(resolve, DELIVERY_MS).unref())
      // Lost spans are already reported.
      await Promise.race([traces.shutdown().catch(() => {}), timeout])
    },
  }
}

/** A traceparent header of a separate trace that is not sampled. */
const unsampledTraceparent = (): string => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`

/** Whether a URL resolves to an address on which this server listens. */
async function isAt({ hostname, port, protocol }: URL, own: OwnAddress): Promise<boolean> {
  const asked = port === '' ? { 'http:': 80, 'https:': 443 }[protocol] : Number(port)
  if (asked !== own.port) return false
  const [there, here] = await Promise.all([addressesOf(hostname), addressesOf(own.host)])
  const listens = new Set(
    here.flatMap((address) => (ALL.has(address) ? [address, ...addressesOfMachine()] : [address])),
  )
  return there.some((address) => listens.has(address))
}

/** The addresses that stand for all addresses of a machine. */
const ALL: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const addressesOfMachine = (): string[] =>
  Object.values(networkInterfaces()).flatMap((one = []) => one.map(({ address }) => address))

async function addressesOf(host: string): Promise<string[]> {
  // An unknown host is not one that the server listens on.
  const found = await lookup(host.replace(/^\[(.*)\]$/, '$1'), { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

/** Returns a function that logs lost spans, at most once a minute. */
function lossLogger(endpoint: string, log: Log): (spans: number, reason: Error) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  let unlogged = 0
  return (spans, reason) => {
    unlogged += spans
    const now = performance.now()
    if (now - loggedAt < LOSS_EVERY_MS) return
    loggedAt = now
    const message = `${plural(unlogged, 'span')} of planspan’s own work could not be sent to ${endpoint}: ${reason.message}`
    unlogged = 0
    log({ level: 'warn', event: 'own_traces_lost', message })
  }
}
