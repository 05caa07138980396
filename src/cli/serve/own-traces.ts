import { context, type TracerProvider } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'

import { PlanspanError } from '../../error.js'
import { createSampler, environment, exportSettings, loadSdk, Settings } from '../../otel/index.js'
import { ATTR } from '../../semconv/index.js'
import type { Log } from '../../server/index.js'
import { plural } from '../output/text-layout.js'

interface PlainTracesOptions {
  /** The base URL of an OTLP/HTTP receiver. */
  readonly endpoint: string
  /** @default OTEL_SERVICE_NAME takes precedence */
  readonly serviceName: string
  /** Headers in addition to OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers: Readonly<Record<string, string>>
  /** The time limit for a response, including retries. */
  readonly timeoutMillis: number
  /** The option or function that needs the SDK, for messages. */
  readonly what: string
  /** Called with the number of spans that the receiver did not accept. */
  readonly onLoss: (spans: number, reason: Error) => void
}

interface PlainTraces {
  readonly provider: TracerProvider
  /** Propagates the current context across awaits, in the whole process. */
  enableContext(): void
  /** Sends the ended spans, then shuts down. */
  shutdown(): Promise<void>
}

/**
 * Sends spans that do not belong to plans, about the work of a program. Spans of an unsampled trace are not sent;
 * OTEL_TRACES_SAMPLER decides about new traces. Throws `missing_dependency`, and `usage` for an invalid URL.
 */
export async function sendPlainTraces(options: PlainTracesOptions): Promise<PlainTraces> {
  const { endpoint, headers, timeoutMillis, what, onLoss } = options
  const settings = exportSettings({ endpoint, headers }, environment(), new Settings())
  const sdk = await loadSdk(what)
  const { resources } = sdk
  const exporter = new sdk.exporter.OTLPTraceExporter({ url: settings.url, headers: settings.headers, timeoutMillis })
  const { maxQueueSize, maxExportBatchSize, scheduledDelayMillis } = settings
  const serviceName = settings.serviceName ?? options.serviceName
  const provider = new sdk.trace.TracerProvider({
    spanProcessors: [
      new sdk.trace.BatchSpanProcessor({
        exporter: reportingLoss(exporter, onLoss),
        maxQueueSize,
        maxExportBatchSize,
        scheduledDelayMillis,
      }),
    ],
    sampler: new sdk.trace.ParentBasedSampler({ root: createSampler(sdk, settings.sampler, settings.samplerRatio) }),
    resource: resources
      .defaultResource()
      .merge(resources.detectResources({ detectors: [resources.envDetector] }))
      .merge(resources.resourceFromAttributes({ [ATTR.serviceName]: serviceName })),
  })
  return {
    provider,
    enableContext: () => {
      context.setGlobalContextManager(new sdk.contextManager.AsyncLocalStorageContextManager().enable())
    },
    shutdown: () => provider.shutdown(),
  }
}

const reportingLoss = (exporter: SpanExporter, onLoss: PlainTracesOptions['onLoss']): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error) onLoss(spans.length, result.error)
      done(result)
    }),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
})

const LOSS_EVERY_MS = 60_000
/** The time limit for a response of the receiver, and for shutting down. */
const DELIVERY_MS = 5_000

/** The address on which the server listens. */
interface OwnAddress {
  readonly host: string
  readonly port: number
}

interface OwnTraces {
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
