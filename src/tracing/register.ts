import { context, diag, DiagConsoleLogger, DiagLogLevel, trace } from '@opentelemetry/api'
import { PlanspanError } from '../error.js'
import { ATTR } from '../semconv/index.js'
import { captureContent } from './content-capture.js'
import { environment, tracesUrlOf } from './environment.js'
import { QueueWatch } from './export/queue-watch.js'
import { wrapExporter } from './export/wrap-exporter.js'
import { flushOnExit } from './flush-on-exit.js'
import { interruptOpenPlans } from './open-spans.js'
import { PendingSpanProcessor, type PendingSpanOptions } from './pending/pending-span-processor.js'
import type { RedactOptions } from '../redaction/index.js'
import { PlanspanProcessor } from './span-processor.js'

export interface RegisterOptions {
  /** Base URL of the OTLP/HTTP receiver. @default OTEL_EXPORTER_OTLP_ENDPOINT, else http://127.0.0.1:4318 */
  endpoint?: string | undefined
  /** Full URL for traces. @default OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, else the endpoint and `/v1/traces` */
  url?: string | undefined
  /** Headers of every request, added to those of OTEL_EXPORTER_OTLP_HEADERS. */
  headers?: Readonly<Record<string, string>> | undefined
  /** @default OTEL_SERVICE_NAME, else the SDK's `unknown_service:node` */
  serviceName?: string | undefined
  /** How secrets are masked; false leaves every value as it is. @default the built-in patterns */
  redact?: RedactOptions | false | undefined
  /** Whether content is captured. @default OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, else true */
  captureContent?: boolean | undefined
  /** The largest OTLP request, bytes before compression. @default 4_000_000 */
  maxRequestBytes?: number | undefined
  /** How many spans may wait for their export. @default OTEL_BSP_MAX_QUEUE_SIZE, else 65_536 */
  maxQueueSize?: number | undefined
  /** The longest a span waits for its export, milliseconds. @default OTEL_BSP_SCHEDULE_DELAY, else 250 */
  scheduledDelayMillis?: number | undefined
  /** How plans are shown while they run; false shows spans at their end alone. @default on */
  snapshots?: PendingSpanOptions | false | undefined
  /** How long a flush may hold up SIGTERM and SIGINT, milliseconds. @default 5_000 */
  exitFlushMillis?: number | undefined
}

export interface Registration {
  /** Exports all spans that have ended. What can't be delivered is counted, not thrown, here and at the shutdown. */
  forceFlush(): Promise<void>
  /** Exports all spans that have ended, then stops; the global provider is free again. Call it before process.exit(). */
  shutdown(): Promise<void>
}

let current: Promise<Registration> | undefined

/**
 * Sets up tracing for a program that has no OpenTelemetry SDK of its own: provider, PlanspanProcessor,
 * PendingSpanProcessor, batch export over OTLP/HTTP with redaction, context manager, flush on exit, warnings to the
 * console (from OTEL_LOG_LEVEL on). A second call answers the first one's registration. With OTEL_SDK_DISABLED=true it
 * registers nothing. The SDK's limits on spans are not set, whatever the environment says: they cut records unseen.
 * Throws `missing_dependency` when the SDK packages are not installed, `usage` when another SDK is registered.
 *
 * @example await register({ serviceName: 'trip-agent' })
 */
export function register(options: RegisterOptions = {}): Promise<Registration> {
  current ??= start(options).catch((error: unknown) => {
    current = undefined
    throw error
  })
  return current
}

const DISABLED: Registration = { forceFlush: () => Promise.resolve(), shutdown: () => Promise.resolve() }

async function start(options: RegisterOptions): Promise<Registration> {
  const env = environment()
  if (env.isSdkDisabled) return DISABLED
  const { maxQueueSize = env.maxQueueSize ?? 65_536, redact, maxRequestBytes } = options
  const { BasicTracerProvider, BatchSpanProcessor, OTLPTraceExporter, AsyncLocalStorageContextManager, resources } =
    await importSdk()
  if (options.captureContent !== undefined) captureContent(options.captureContent)
  diag.setLogger(new DiagConsoleLogger(), { logLevel: logLevelOf(env.logLevel), suppressOverrideMessage: true })

  const maxExportBatchSize = Math.min(env.maxExportBatchSize ?? MAX_BATCH, maxQueueSize)
  const watch = new QueueWatch(maxQueueSize)
  const exporter = new OTLPTraceExporter({ url: urlOf(options), headers: { ...env.headers, ...options.headers } })
  const wrapped = wrapExporter(exporter, { redact, maxRequestBytes })
  const batch = new BatchSpanProcessor(watch.exporter(wrapped), {
    maxQueueSize,
    maxExportBatchSize,
    scheduledDelayMillis: options.scheduledDelayMillis ?? env.scheduleDelayMillis ?? 250,
  })
  const queue = watch.processor(batch)
  // While the export lags behind, a snapshot would only be overtaken by the next; ended spans need the queue.
  const isBusy = (): boolean => watch.queued > Math.min(2 * maxExportBatchSize, maxQueueSize / 2)
  const pending =
    options.snapshots === false ? undefined : new PendingSpanProcessor(queue, { isBusy, ...options.snapshots })
  const serviceName = options.serviceName ?? env.serviceName
  const provider = new BasicTracerProvider({
    spanProcessors: [new PlanspanProcessor(), pending ?? queue],
    spanLimits: NO_LIMITS,
    resource: resources
      .defaultResource()
      .merge(resources.detectResources({ detectors: [resources.envDetector] }))
      .merge(resources.resourceFromAttributes(serviceName === undefined ? {} : { [ATTR.serviceName]: serviceName })),
  })
  if (!trace.setGlobalTracerProvider(provider)) {
    await provider.shutdown()
    throw new PlanspanError(
      'usage',
      'register() found another OpenTelemetry SDK registered in this process. Leave register() out and give that SDK ' +
        'planspan’s parts: spanProcessors [new PlanspanProcessor(), new PendingSpanProcessor(batch)], where batch is new ' +
        'BatchSpanProcessor(wrapExporter(exporter)).',
    )
  }
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

  // The batch processor's flush does not wait for an export that is under way.
  const flush = async (): Promise<void> => {
    await provider.forceFlush().catch(sayFlushFailed)
    await wrapped.forceFlush?.().catch(sayFlushFailed)
  }
  const stayOnExit = flushOnExit({
    flush,
    pending: () => watch.queued > 0 || pending?.hasNews === true,
    interrupt: interruptOpenPlans,
    boundMillis: options.exitFlushMillis ?? 5_000,
  })
  const shutDown = async (): Promise<void> => {
    stayOnExit()
    current = undefined
    trace.disable()
    context.disable()
    await flush()
    await provider.shutdown().catch(sayFlushFailed)
  }
  let done: Promise<void> | undefined
  return { forceFlush: flush, shutdown: () => (done ??= shutDown()) }
}

// The batch processor sends one batch at a time: small ones limit what a distant receiver can take.
const MAX_BATCH = 2_048

// The SDK's own limits of 128 cut long runs without a word.
const NO_LIMITS = {
  attributeCountLimit: Number.POSITIVE_INFINITY,
  attributeValueLengthLimit: Number.POSITIVE_INFINITY,
  eventCountLimit: Number.POSITIVE_INFINITY,
  linkCountLimit: Number.POSITIVE_INFINITY,
  attributePerEventCountLimit: Number.POSITIVE_INFINITY,
  attributePerLinkCountLimit: Number.POSITIVE_INFINITY,
}

const urlOf = ({ url, endpoint }: RegisterOptions): string =>
  url ??
  (endpoint === undefined ? undefined : tracesUrlOf(endpoint)) ??
  environment().tracesUrl ??
  tracesUrlOf('http://127.0.0.1:4318')

const logLevelOf = (name: string | undefined): DiagLogLevel =>
  name !== undefined && name in DiagLogLevel ? DiagLogLevel[name as keyof typeof DiagLogLevel] : DiagLogLevel.WARN

const sayFlushFailed = (error: unknown): void => diag.warn('planspan: spans could not be flushed', error)

async function importSdk() {
  try {
    const [sdk, exporter, contextManager, resources] = await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
    ])
    return { ...sdk, ...exporter, ...contextManager, resources }
  } catch (error) {
    throw new PlanspanError(
      'missing_dependency',
      'register() needs the OpenTelemetry SDK, which is not installed. Run: npm install @opentelemetry/sdk-trace-base@2 ' +
        '@opentelemetry/exporter-trace-otlp-http@0.223 @opentelemetry/context-async-hooks@2 @opentelemetry/resources@2',
      { cause: error },
    )
  }
}
