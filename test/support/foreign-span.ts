import type { StoredSpan } from '../../src/semconv/index.js'

/** A span of another instrumentation, by its number and that of its parent. It starts in the order of numbers. */
export const foreignSpan = (
  [id, parent]: readonly [number, number?],
  name: string,
  attributes: Record<string, string> = {},
  scopeName = 'some',
): StoredSpan => ({
  traceId: 'f'.repeat(32),
  spanId: String(id).padStart(16, '0'),
  parentSpanId: parent === undefined ? '' : String(parent).padStart(16, '0'),
  name,
  kind: 'Internal',
  startTimeUnixNano: BigInt(id) * 1_000_000n,
  endTimeUnixNano: BigInt(id + 1) * 1_000_000n,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes,
  events: [],
  links: [],
  serviceName: 'shop',
  scopeName,
  resourceAttributes: {},
})
