import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { otlpRequests, receive, storeRequests } from '../../../src/otlp/index.js'
import type { SpanWriter } from '../../../src/store/ingest/index.js'
import { request } from '../../otlp/arbitrary-request.js'
import { storableSpans } from '../../otlp/arbitrary-spans.js'
import { collectorRows } from '../../otlp/collector-oracle.js'
import { encodeRequest, type RequestJson } from '../../otlp/encode-request.js'
import { freshLanding, sortRows, type Landing } from './landing.js'

const ENCODE = {
  protobuf: encodeRequest,
  json: (body: RequestJson) => Buffer.from(JSON.stringify(body)),
}

describe.each(['protobuf', 'json'] as const)('any requests, sent as %s', (encoding) => {
  let landing: Landing
  let writer: SpanWriter
  beforeAll(async () => {
    landing = await freshLanding()
    writer = landing.writer()
  })
  afterAll(async () => {
    await writer.close()
    await landing.drop()
  })

  it('produce the rows that the collector would store', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), async (requests) => {
        await landing.command(`TRUNCATE TABLE ${landing.database}.otel_traces`)
        const results = requests.map((body) => {
          const received = receive(encoding, ENCODE[encoding](body))
          if (!received.ok) throw new Error(received.message)
          expect(received.request.refused).toBeUndefined()
          return writer.write(received.request)
        })
        for (const { errorMessage } of await Promise.all(results)) expect(errorMessage).toBe('')
        expect(await landing.values()).toEqual(sortRows(requests.flatMap(collectorRows)))
      }),
      { numRuns: 15 },
    )
  })
})

describe('planspan’s own spans', () => {
  let landing: Landing
  let writer: SpanWriter
  beforeAll(async () => {
    landing = await freshLanding()
    writer = landing.writer()
  })
  afterAll(async () => {
    await writer.close()
    await landing.drop()
  })

  it('produce the rows that the collector would store if a client sent them', async () => {
    await fc.assert(
      fc.asyncProperty(storableSpans, async (spans) => {
        await landing.command(`TRUNCATE TABLE ${landing.database}.otel_traces`)
        for (const written of storeRequests(spans, { serviceName: 'ü' })) {
          expect(await writer.write(written)).toMatchObject({ rejectedSpans: 0 })
        }
        const sent = [...otlpRequests(spans, { serviceName: 'ü' })].map(({ text }) => JSON.parse(text) as RequestJson)
        expect(await landing.values()).toEqual(sortRows(sent.flatMap(collectorRows)))
      }),
      { numRuns: 15 },
    )
  })
})
