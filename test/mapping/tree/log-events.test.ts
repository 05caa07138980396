import { describe, expect, it } from 'vitest'

import { foldSpans } from '../../../src/mapping/tree/index.js'
import { ATTR, EVENTS, PENDING, type StoredSpan } from '../../../src/semconv/index.js'

const span: StoredSpan = {
  traceId: 'a'.repeat(32),
  spanId: '1'.repeat(16),
  parentSpanId: '',
  name: 'chat',
  kind: 'Client',
  startTimeUnixNano: 1n,
  endTimeUnixNano: 9n,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes: {},
  events: [],
  links: [],
  serviceName: 's',
  scopeName: '',
  resourceAttributes: {},
}

/** The row that ClickHouse writes for a log record of the span. */
const log = (id: string, name: string, attributes: Readonly<Record<string, string>>, time = 2n): StoredSpan => ({
  ...span,
  spanId: id.repeat(16),
  parentSpanId: span.spanId,
  name,
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes: { [ATTR.spanState]: PENDING, [ATTR.logEvent]: 'true' },
  events: [{ timeUnixNano: time, name, attributes }],
})

const exception = { 'exception.type': 'E', 'exception.message': 'm' }

describe('log records of a span', () => {
  it('become its events, in order of time, however often and in whichever order they come', () => {
    const late = log('3', EVENTS.evaluation, { 'gen_ai.evaluation.name': 'b' }, 5n)
    const early = log('2', EVENTS.evaluation, { 'gen_ai.evaluation.name': 'a' })
    const [folded, ...others] = foldSpans([late, early, span, late])
    expect(others).toEqual([])
    expect(folded?.events.map(({ attributes }) => attributes['gen_ai.evaluation.name'])).toEqual(['a', 'b'])
  })

  it('repeat no event that the span contains itself', () => {
    const events = [
      { timeUnixNano: 3n, name: EVENTS.exception, attributes: { ...exception, 'exception.stacktrace': 's' } },
    ]
    const [folded] = foldSpans([{ ...span, events }, log('2', EVENTS.exception, exception)])
    expect(folded?.events).toEqual(events)
    const other = log('3', EVENTS.exception, { ...exception, 'exception.message': 'n' })
    expect(foldSpans([{ ...span, events }, other])[0]?.events).toHaveLength(2)
  })

  it('supply the attributes of a model call that the span lacks, and that they were masked', () => {
    const details = { [ATTR.inputMessages]: '[1]', [ATTR.requestModel]: 'b', [ATTR.redactedFields]: '["body"]' }
    const own = { ...span, attributes: { [ATTR.requestModel]: 'a' } }
    const [folded] = foldSpans([own, log('2', EVENTS.inferenceDetails, details)])
    expect(folded?.events).toEqual([])
    expect(folded?.attributes).toEqual({ ...details, [ATTR.requestModel]: 'a' })
  })

  it('have the values of a body that is a map, as older conventions write it', () => {
    const body = '{"index":0,"message":{"role":"assistant","content":"hi"}}'
    const [folded] = foldSpans([
      span,
      log('2', 'gen_ai.choice', { body, index: '1' }),
      log('3', 'note', { body: 'text' }, 3n),
    ])
    expect(folded?.events.map(({ attributes }) => attributes)).toEqual([
      { index: '1', message: '{"role":"assistant","content":"hi"}' },
      { body: 'text' },
    ])
  })

  it('are left out if their span is not stored', () => {
    expect(foldSpans([log('2', EVENTS.exception, exception)])).toEqual([])
  })
})
