import { context, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'

const FIRST_TICK = 1_784_000_000_000_000_000n
const TICK = 250_000_000n
const EVENT = 1_000_000n
const MADE_UP_ID = /(?<=\b(?:call|plan|step|wait)-)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g
const STATUS = ['UNSET', 'OK', 'ERROR']

/**
 * The real SDK with a clock that counts starts and ends, with counted ids and no stack traces, so that a run always
 * produces the same spans. It is installed globally until `uninstall()`.
 *
 * @param {Pick<typeof import('../../src/tracing/index.js'), 'PlanspanProcessor'>} tracing
 * @param {Pick<typeof import('../../src/mapping/index.js'), 'toStoredSpan'>} mapping
 */
export function installTickingSdk({ PlanspanProcessor }, { toStoredSpan }) {
  let ticks = 0n
  let ids = 0
  /** @type {Map<string, bigint>} */
  const starts = new Map()
  /** @type {import('../../src/semconv/index.js').StoredSpan[]} */
  const rows = []
  const tick = () => FIRST_TICK + ticks++ * TICK
  /** @type {Map<string, string>} */
  const known = new Map()
  const counted = (/** @type {string} */ id) => {
    const place = known.get(id) ?? `id-${known.size + 1}`
    known.set(id, place)
    return place
  }
  /** @param {number} length */
  const nextId = (length) => (++ids).toString(16).padStart(length, '0')

  trace.setGlobalTracerProvider(
    new BasicTracerProvider({
      idGenerator: { generateTraceId: () => nextId(32), generateSpanId: () => nextId(16) },
      spanProcessors: [
        new PlanspanProcessor(),
        {
          onStart: (span) => void starts.set(span.spanContext().spanId, tick()),
          onEnd: (span) => {
            const { traceId, spanId } = span.spanContext()
            const start = starts.get(spanId) ?? tick()
            const attributes = (/** @type {object | undefined} */ values) =>
              /** @type {Record<string, import('../../src/semconv/index.js').AttributeValue>} */ (
                JSON.parse(
                  JSON.stringify({ ...values, 'exception.stacktrace': undefined }).replace(MADE_UP_ID, counted),
                )
              )
            rows.push({
              ...toStoredSpan({
                traceId,
                spanId,
                parentSpanId: span.parentSpanContext?.spanId ?? '',
                name: span.name,
                kind: span.kind === SpanKind.CLIENT ? 'CLIENT' : 'INTERNAL',
                startTimeUnixNano: start,
                endTimeUnixNano: tick(),
                statusCode: /** @type {'UNSET' | 'OK' | 'ERROR'} */ (STATUS[span.status.code]),
                statusMessage: span.status.message ?? '',
                attributes: attributes(span.attributes),
                events: span.events.map((event, index) => ({
                  timeUnixNano: start + BigInt(index + 1) * EVENT,
                  name: event.name,
                  attributes: attributes(event.attributes),
                })),
                links: span.links.map((link) => ({ ...link.context, attributes: attributes(link.attributes) })),
              }),
              scopeName: span.instrumentationScope.name,
            })
          },
          forceFlush: async () => {},
          shutdown: async () => {},
        },
      ],
    }),
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  return {
    rows,
    uninstall() {
      trace.disable()
      context.disable()
    },
  }
}
