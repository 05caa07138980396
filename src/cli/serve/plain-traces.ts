import { context, type TracerProvider } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

import { createSampler, environment, exportSettings, loadSdk, Settings } from '../../otel/index.js'
import { ATTR } from '../../semconv/index.js'

export interface PlainTracesOptions {
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

export interface PlainTraces {
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
