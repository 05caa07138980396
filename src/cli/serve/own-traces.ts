import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import type { TracerProvider } from '@opentelemetry/api'

import { PlanspanError } from '../../error.js'
import type { Log } from '../../server/index.js'
import { sendPlainTraces } from './plain-traces.js'
import { plural } from '../output/text-layout.js'

const LOSS_EVERY_MS = 60_000
/** How long the receiver has for an answer, and the server for its end. */
const DELIVERY_MS = 5_000

/** Where a server listens. */
export interface OwnAddress {
  readonly host: string
  readonly port: number
}

export interface OwnTraces {
  readonly tracerProvider: TracerProvider
  /** Sends what is left, in five seconds at most. */
  close(): Promise<void>
}

/**
 * Sends spans of the server's own work to an OTLP receiver. What is sent says that it is not to be traced itself, so
 * that two servers may send theirs to each other. Throws `usage` where the receiver is the server itself.
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
      `--trace-endpoint ${endpoint} is this server itself. Its own traces belong in another one: a second ` +
        '`planspan serve` with a --data and a --port of its own, or any other OTLP receiver.',
    )
  }
  const traces = await sendPlainTraces({
    endpoint,
    serviceName: 'planspan',
    headers: { traceparent: notToBeTraced() },
    timeoutMillis: DELIVERY_MS,
    what: '--trace-endpoint',
    onLoss: tellLoss(endpoint, log),
  })
  traces.enableContext()
  return {
    tracerProvider: traces.provider,
    async close() {
      const given = new Promise((resolve) => setTimeout(resolve, DELIVERY_MS).unref())
      // What is not taken is told of already.
      await Promise.race([traces.shutdown().catch(() => {}), given])
    },
  }
}

/** The head of a request in a trace of its own, which is not sampled. */
const notToBeTraced = (): string => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`

/** Whether a URL leads to an address of this machine. */
async function isAt({ hostname, port, protocol }: URL, own: OwnAddress): Promise<boolean> {
  const asked = port === '' ? { 'http:': 80, 'https:': 443 }[protocol] : Number(port)
  if (asked !== own.port) return false
  const [there, here] = await Promise.all([addressesOf(hostname), addressesOf(own.host)])
  const listens = new Set(
    here.flatMap((address) => (ALL.has(address) ? [address, ...addressesOfMachine()] : [address])),
  )
  return there.some((address) => listens.has(address))
}

/** The addresses that stand for all of a machine's. */
const ALL: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const addressesOfMachine = (): string[] =>
  Object.values(networkInterfaces()).flatMap((one = []) => one.map(({ address }) => address))

async function addressesOf(host: string): Promise<string[]> {
  // One that is not known now is none that is listened on.
  const found = await lookup(host.replace(/^\[(.*)\]$/, '$1'), { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

/** Warns of spans that are not taken, once a minute at most. */
function tellLoss(endpoint: string, log: Log): (spans: number, reason: Error) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  let untold = 0
  return (spans, reason) => {
    untold += spans
    const now = performance.now()
    if (now - toldAt < LOSS_EVERY_MS) return
    toldAt = now
    const message = `${plural(untold, 'span')} of planspan’s own work could not be sent to ${endpoint}: ${reason.message}`
    untold = 0
    log({ level: 'warn', event: 'own_traces_lost', message })
  }
}
