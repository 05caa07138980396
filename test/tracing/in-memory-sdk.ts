import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type Sampler,
  type SpanLimits,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { PlanspanProcessor } from '../../src/tracing/index.js'

export interface InMemorySdk {
  readonly provider: BasicTracerProvider
  /** The ended spans, in order of their end. */
  spans(): ReadableSpan[]
  /** The only ended span of that name. */
  span(name: string): ReadableSpan
  uninstall(): void
}

interface InMemorySdkOptions {
  readonly spanLimits?: SpanLimits
  readonly sampler?: Sampler
  /** Wraps the processor that keeps the spans. */
  readonly before?: (next: SpanProcessor) => SpanProcessor
}

/** Installs the real SDK globally, with spans kept in memory. */
export function installSdk({ before = (next) => next, ...options }: InMemorySdkOptions = {}): InMemorySdk {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({
    spanProcessors: [new PlanspanProcessor(), before(new SimpleSpanProcessor(exporter))],
    ...options,
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  return {
    provider,
    spans: () => exporter.getFinishedSpans(),
    span: (name) => {
      const found = exporter.getFinishedSpans().filter((span) => span.name === name)
      if (found.length !== 1) throw new Error(`${found.length} spans are named ${name}`)
      return found[0]!
    },
    uninstall: () => {
      trace.disable()
      context.disable()
    },
  }
}
