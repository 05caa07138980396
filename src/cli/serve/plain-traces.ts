import { context, type TracerProvider } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

import { createSampler, environment, exportSettings, loadSdk, Settings } from '../../otel/index.js'
import { ATTR } from '../../semconv/index.js'

export interface PlainTracesOptions {
  /** The base URL of an OTLP/HTTP receiver. */
  readonly endpoint: string
  /** Unless OTEL_SERVICE_NAME tells another one. */
  readonly serviceName: string
  /** Beside those of OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers: Readonly<Record<string, string>>
  /** How long the receiver has for an answer, with all that is tried again. */
  readonly timeoutMillis: number
  /** What needs the SDK, for messages. */
  readonly what: string
  /** Is told of spans that the receiver does not take. */
  readonly onLoss: (spans: number, reason: Error) => void
}

export interface PlainTraces {
  readonly provider: TracerProvider
  /** Keeps the current context across what is awaited, in the whole process. */
  enableContext(): void
  /** Sends what has ended, and ends. */
  shutdown(): Promise<void>
}

/**
 * Sends spans that have nothing to do with plans, of the work of a program. Those of a trace that is not sampled are
 * not, whatever OTEL_TRACES_SAMPLER says of new ones. Throws `missing_dependency`, and `usage` for no URL.
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
        exporter: tellingLoss(exporter, onLoss),
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

const tellingLoss = (exporter: SpanExporter, onLoss: PlainTracesOptions['onLoss']): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error) onLoss(spans.length, result.error)
      done(result)
    }),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
})
