import { describe, expect, it } from 'vitest'

import { ATTR } from '../../../src/semconv/index.js'
import { tellsOfOpenSpans } from '../../../src/store/ingest/frame.js'
import { encode, makeRequest, makeSpan } from './sample-spans.js'

describe.each(['protobuf', 'json'] as const)('a request in %s', (encoding) => {
  it('tells of open spans where it holds a snapshot', () => {
    const snapshot = makeSpan(2, { attributes: [{ key: ATTR.pendingSpanId, value: { stringValue: 'b'.repeat(16) } }] })
    const tells = (...spans: ReturnType<typeof makeSpan>[]) =>
      tellsOfOpenSpans({ body: encode(encoding, makeRequest(spans)) })
    expect(tells(makeSpan(1))).toBe(false)
    expect(tells(makeSpan(1), snapshot)).toBe(true)
  })
})
