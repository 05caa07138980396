import { describe, expect, it } from 'vitest'

import { traceParent } from '../../../src/server/telemetry/trace-parent.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

describe('the trace of a request', () => {
  it.each([
    ['sampled', `00-${TRACE}-${SPAN}-01`, 1],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, 0],
    ['of a later version, with more behind it', `cc-${TRACE}-${SPAN}-01-what-comes`, 1],
  ])('is read from its header: %s', (_, traceparent, traceFlags) => {
    expect(traceParent({ traceparent })).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags, isRemote: true })
  })

  it('keeps the trace state of the request', () => {
    const parent = traceParent({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1,other=2' })
    expect(parent?.traceState?.get('other')).toBe('2')
  })

  it.each([
    undefined,
    '',
    TRACE,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
  ])('is new for a missing or malformed header: %s', (traceparent) => {
    expect(traceParent({ traceparent })).toBeUndefined()
  })
})
