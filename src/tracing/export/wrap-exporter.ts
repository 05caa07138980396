import { setImmediate } from 'node:timers/promises'
import { diag } from '@opentelemetry/api'
import { countDrop } from '../drops.js'
import { countUnknownOptions } from '../option-names.js'
import { createRedactor, type RedactOptions, type Redactor } from '../../redaction/index.js'
import { redactSpan } from './redact-span.js'
import type { ExportResultLike, SpanExporterLike, SpanLike } from '../sdk-types.js'
import { ExportQueue, failed, SUCCESS } from './export-queue.js'
import { splitSpans } from './split-spans.js'

/** The masking of secrets, and the limits of one export. */
export interface WrapExporterOptions {
  /** The masking of secrets; false leaves every value as it is. @default the built-in patterns */
  redact?: RedactOptions | false | undefined
  /** The largest OTLP request, bytes before compression; a larger span is sent alone. @default 4_000_000 */
  maxRequestBytes?: number | undefined
  /** The time limit for an export, milliseconds; after it the spans count as lost. @default 30_000 */
  exportTimeoutMillis?: number | undefined
}

// The SDK's OTLP exporter refuses more than 30 concurrent requests, and a flush hands it the whole queue at once.
const MAX_CONCURRENT_REQUESTS = 4

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof WrapExporterOptions>([
  'redact',
  'maxRequestBytes',
  'exportTimeoutMillis',
])

/**
 * Wraps any span exporter: masks secrets everywhere in the spans (names, attributes, events, links, status, resource,
 * inside JSON text), and splits batches that are too large for one request. The user's own spans are not changed.
 *
 * @example new BatchSpanProcessor({ exporter: wrapExporter(new OTLPTraceExporter()) })
 */
export function wrapExporter(exporter: SpanExporterLike, options: WrapExporterOptions = {}): SpanExporterLike {
  countUnknownOptions('wrapExporter()', options, OPTION_NAMES)
  const { redact = {}, maxRequestBytes = 4_000_000, exportTimeoutMillis: timeoutMillis = 30_000 } = options
  const redactor = redact === false ? undefined : createRedactor(redact)
  const queue = new ExportQueue(exporter, { concurrency: MAX_CONCURRENT_REQUESTS, timeoutMillis })
  const underWay = new Set<Promise<void>>()
  const exportParts = async (spans: readonly SpanLike[]): Promise<ExportResultLike[]> => {
    const masked = redactor ? await redactAll(redactor, spans) : spans
    return Promise.all(splitSpans(masked, maxRequestBytes).map((part) => queue.add(part)))
  }
  const exportAll = async (spans: SpanLike[], answer: (result: ExportResultLike) => void): Promise<void> => {
    const results = await exportParts(spans).catch((error: unknown) => {
      countDrop('export', `${spans.length} spans that could not be examined`, spans.length)
      return [failed(error)]
    })
    answer(results.find(({ code }) => code !== SUCCESS) ?? { code: SUCCESS })
  }
  return {
    export: (spans, resultCallback) => {
      const done = exportAll(spans, resultCallback)
        .catch((error: unknown) => diag.error('planspan: the callback of an export threw', error))
        .finally(() => underWay.delete(done))
      underWay.add(done)
    },
    forceFlush: async () => {
      await atMost(timeoutMillis, Promise.all(underWay))
      await exporter.forceFlush?.()
    },
    shutdown: async () => {
      await atMost(timeoutMillis, Promise.all(underWay))
      await exporter.shutdown()
    },
  }
}

/** Waits for work, up to a time limit: a program that shuts down has to end. */
async function atMost(millis: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise((resolve) => {
    timer = setTimeout(resolve, millis)
  })
  await Promise.race([work, elapsed])
  clearTimeout(timer)
}

const MAX_BLOCKING_MILLIS = 5

/** Redacts spans and yields in between: large prompts take milliseconds, during which the agent could not work. */
async function redactAll(redactor: Redactor, spans: readonly SpanLike[]): Promise<SpanLike[]> {
  const masked: SpanLike[] = []
  let resumed = performance.now()
  for (const span of spans) {
    masked.push(redactSpan(redactor, span))
    if (performance.now() - resumed < MAX_BLOCKING_MILLIS) continue
    await setImmediate()
    resumed = performance.now()
  }
  return masked
}
