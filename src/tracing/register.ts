import {
  context,
  diag,
  DiagConsoleLogger,
  DiagLogLevel,
  propagation,
  ProxyTracerProvider,
  trace,
  type TracerProvider,
} from '@opentelemetry/api'
import { PlanspanError } from '../error.js'
import { createSampler, environment, loadSdk, type Sdk } from '../otel/index.js'
import { ATTR } from '../semconv/index.js'
import { captureContent } from './content-capture.js'
import { QueueWatch } from './export/queue-watch.js'
import { wrapExporter } from './export/wrap-exporter.js'
import { flushOnExit, flushWhileDelivering } from './flush-on-exit.js'
import { interruptOpenPlans } from './open-spans.js'
import { countUnknownOptions } from './option-names.js'
import { PendingSpanProcessor } from './pending/pending-span-processor.js'
import { type RegisterOptions, resolveSettings, type RegisterSettings } from './register-settings.js'
import { PlanspanProcessor } from './span-processor.js'
import { noteRegistration } from './unrecorded-plans.js'
import { W3C_PROPAGATOR } from './w3c-propagator.js'

/** The active tracing setup of register(). */
export interface Registration {
  /** Exports all ended spans. Here and in shutdown(), undeliverable spans are counted and no error is thrown. */
  forceFlush(): Promise<void>
  /**
   * Exports all ended spans, then stops and unregisters the global provider. Call it before process.exit(). It gives
   * up and reports the number of lost spans if nothing was delivered for `exitFlushMillis`.
   */
  shutdown(): Promise<void>
}

let current: Promise<Registration> | undefined

/**
 * Sets up tracing for a program without its own OpenTelemetry SDK: provider, PlanspanProcessor, PendingSpanProcessor,
 * batch export over OTLP/HTTP with redaction, context manager, the propagator of W3C's trace context and baggage unless
 * one is set, flush on exit, and warnings on the console (level OTEL_LOG_LEVEL). A second call returns the first
 * registration. With OTEL_SDK_DISABLED=true it registers nothing. The SDK's span limits are turned off, even if the
 * environment sets them: they would cut records silently. Each invalid setting is reported once: a number falls back to
 * its default; if spans could not be sent or masked as intended, nothing is registered. Throws `missing_dependency` if
 * the SDK packages are not installed, `usage` if another SDK is registered.
 *
 * @example await register({ serviceName: 'trip-agent' })
 */
export function register(options: RegisterOptions = {}): Promise<Registration> {
  current ??= start(options).then(
    (registration) => {
      noteRegistration('done')
      return registration
    },
    (error: unknown) => {
      noteRegistration('none')
      current = undefined
      throw error
    },
  )
  return current
}

/**
 * Sends all ended spans. Await it before a function is frozen between calls, or before process.exit(). It flushes the
 * setup of register(), else the program's own OpenTelemetry SDK; without either it does nothing. Never throws: spans
 * that cannot be delivered are counted.
 *
 * @example await flush()
 */
export async function flush(): Promise<void> {
  try {
    const registration = await current
    if (registration) return await registration.forceFlush()
    const provider = trace.getTracerProvider()
    const own: TracerProvider & Partial<Flushing> =
      provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider
    await own.forceFlush?.()
  } catch (error) {
    sayFlushFailed(error)
  }
}

type Flushing = Pick<Registration, 'forceFlush'>

const NOTHING_REGISTERED: Registration = { forceFlush: () => Promise.resolve(), shutdown: () => Promise.resolve() }

async function start(options: RegisterOptions): Promise<Registration> {
  const env = environment()
  if (env.isSdkDisabled) return NOTHING_REGISTERED
  logToConsole(env.logLevel)
  noteRegistration('in progress')
  const sdk = await loadSdk()
  const pipeline = createPipeline(sdk, options)
  if (!pipeline) return NOTHING_REGISTERED
  const { provider, wrapped, watch, pending, exitFlushMillis } = pipeline
  if (!trace.setGlobalTracerProvider(provider)) {
    await provider.shutdown()
    throw new PlanspanError(
      'usage',
      'register() found another OpenTelemetry SDK registered in this process. Leave register() out and give that SDK ' +
        'planspan’s parts: spanProcessors [new PlanspanProcessor(), new PendingSpanProcessor(batch)], where batch is new ' +
        'BatchSpanProcessor({ exporter: wrapExporter(exporter) }).',
    )
  }
  context.setGlobalContextManager(new sdk.contextManager.AsyncLocalStorageContextManager().enable())
  // A program may have chosen another propagator.
  const setsPropagator = propagation.fields().length === 0 && propagation.setGlobalPropagator(W3C_PROPAGATOR)

  // The batch processor's flush does not wait for an export in progress.
  const flush = async (): Promise<void> => {
    await provider.forceFlush().catch(sayFlushFailed)
    await wrapped.forceFlush?.().catch(sayFlushFailed)
  }
  const exitFlush = { flush, queue: watch, timeoutMillis: exitFlushMillis }
  const stayOnExit = flushOnExit({
    ...exitFlush,
    pending: () => watch.queued > 0 || pending?.hasNews === true,
    interrupt: interruptOpenPlans,
  })
  const shutDown = async (): Promise<void> => {
    stayOnExit()
    current = undefined
    noteRegistration('none')
    trace.disable()
    context.disable()
    if (setsPropagator) propagation.disable()
    const isSent = await flushWhileDelivering(exitFlush)
    const stopped = provider.shutdown().catch(sayFlushFailed)
    if (isSent) await stopped
  }
  let done: Promise<void> | undefined
  return { forceFlush: flush, shutdown: () => (done ??= shutDown()) }
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof RegisterOptions>([
  'endpoint',
  'url',
  'token',
  'headers',
  'serviceName',
  'redact',
  'captureContent',
  'maxRequestBytes',
  'maxQueueSize',
  'scheduledDelayMillis',
  'snapshots',
  'exitFlushMillis',
])

/** The processors and the exporter; undefined, with a warning, if the options leave no receiver to send to. */
function createPipeline(sdk: Sdk, options: RegisterOptions) {
  try {
    countUnknownOptions('register()', options, OPTION_NAMES)
    const settings = resolveSettings(options, environment())
    for (const complaint of settings.complaints) diag.warn(complaint)
    return assemble(sdk, settings)
  } catch (error) {
    diag.error(
      'planspan: register() cannot use its settings, and nothing is recorded:',
      error instanceof PlanspanError ? error.message : error,
    )
    return undefined
  }
}

function assemble(sdk: Sdk, settings: RegisterSettings) {
  const { url, headers, serviceName, snapshots, maxQueueSize, maxExportBatchSize } = settings
  const { scheduledDelayMillis, exportTimeoutMillis } = settings
  const { resources } = sdk
  if (settings.captureContent !== undefined) captureContent(settings.captureContent)
  const watch = new QueueWatch(maxQueueSize)
  const { redact, maxRequestBytes } = settings
  const otlp = new sdk.exporter.OTLPTraceExporter({ url, headers })
  const wrapped = wrapExporter(otlp, { redact, maxRequestBytes, exportTimeoutMillis })
  const batch = new sdk.trace.BatchSpanProcessor({
    exporter: watch.exporter(wrapped),
    maxQueueSize,
    maxExportBatchSize,
    scheduledDelayMillis,
    ...(exportTimeoutMillis !== undefined && { exportTimeoutMillis }),
  })
  const queue = watch.processor(batch)
  // While the export lags behind, each snapshot would be outdated by the next one, and ended spans need the queue.
  const isBusy = (): boolean => watch.queued > Math.min(2 * maxExportBatchSize, maxQueueSize / 2)
  const pending = snapshots === false ? undefined : new PendingSpanProcessor(queue, { isBusy, ...snapshots })
  const provider = new sdk.trace.TracerProvider({
    spanProcessors: [new PlanspanProcessor(), pending ?? queue],
    spanLimits: NO_LIMITS,
    sampler: createSampler(sdk, settings.sampler, settings.samplerRatio),
    resource: resources
      .defaultResource()
      .merge(resources.detectResources({ detectors: [resources.envDetector] }))
      .merge(resources.resourceFromAttributes(serviceName === undefined ? {} : { [ATTR.serviceName]: serviceName })),
  })
  return { provider, wrapped, watch, pending, exitFlushMillis: settings.exitFlushMillis }
}

// The SDK's default limits of 128 silently cut long runs.
const NO_LIMITS = {
  attributeCountLimit: Number.POSITIVE_INFINITY,
  attributeValueLengthLimit: Number.POSITIVE_INFINITY,
  eventCountLimit: Number.POSITIVE_INFINITY,
  linkCountLimit: Number.POSITIVE_INFINITY,
  attributePerEventCountLimit: Number.POSITIVE_INFINITY,
  attributePerLinkCountLimit: Number.POSITIVE_INFINITY,
}

function logToConsole(level = 'WARN'): void {
  const known: unknown = DiagLogLevel[level as keyof typeof DiagLogLevel]
  const logLevel = typeof known === 'number' ? known : DiagLogLevel.WARN
  diag.setLogger(new DiagConsoleLogger(), { logLevel, suppressOverrideMessage: true })
  if (logLevel !== known) diag.warn(`planspan: OTEL_LOG_LEVEL cannot be ${JSON.stringify(level)}; WARN is used.`)
}

const sayFlushFailed = (error: unknown): void => diag.warn('planspan: spans could not be flushed', error)
