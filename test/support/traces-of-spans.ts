import type { StoredSpan } from '../../src/semconv/index.js'

export interface SpanInput {
  /** Milliseconds from the start of the test. @default the number of the span */
  readonly at?: number
  /** @default 1 ms after its start */
  readonly until?: number
  readonly name?: string
  readonly parent?: string
  /** The message of an error status. */
  readonly failed?: string
  /** The class and the message of an exception event. */
  readonly raised?: readonly [type: string, message: string]
  readonly events?: StoredSpan['events']
  readonly [attribute: string]: unknown
}

/** The rows of one trace, by the names of its spans. Keys outside `SpanInput` are attributes. */
export function traceRows(
  spans: Readonly<Record<string, SpanInput>>,
  { traceId = 'f'.repeat(32), service = 'shop' } = {},
): StoredSpan[] {
  return Object.entries(spans).map(([id, input], index): StoredSpan => {
    const { at = index, until = at + 1, name = id, parent, failed, raised, events = [], ...attributes } = input
    const end = BigInt(until) * 1_000_000n
    return {
      traceId,
      spanId: idOf(id),
      parentSpanId: parent === undefined ? '' : idOf(parent),
      name,
      kind: 'Internal',
      startTimeUnixNano: BigInt(at) * 1_000_000n,
      endTimeUnixNano: end,
      statusCode: failed === undefined ? 'UNSET' : 'ERROR',
      statusMessage: failed ?? '',
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, value]) => [
          key,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
      events: [
        ...events,
        ...(raised
          ? [
              {
                timeUnixNano: end,
                name: 'exception',
                attributes: { 'exception.type': raised[0], 'exception.message': raised[1] },
              },
            ]
          : []),
      ],
      links: [],
      serviceName: service,
      scopeName: 'some',
      resourceAttributes: { 'service.name': service },
    }
  })
}

const idOf = (id: string): string => Buffer.from(id).toString('hex').slice(0, 16).padStart(16, '0')
