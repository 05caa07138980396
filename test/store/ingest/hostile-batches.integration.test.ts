import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { receive, type Encoding, type ReceivedRequest } from '../../../src/otlp/index.js'
import type { SpanWriter, WriteRequest } from '../../../src/store/ingest/index.js'
import { request } from '../../otlp/arbitrary-request.js'
import { collectorRows } from '../../otlp/collector-oracle.js'
import type { RequestJson } from '../../otlp/encode-request.js'
import { freshLanding, type Landing } from './landing.js'
import { encode } from './sample-spans.js'

type Hostility =
  | { kind: 'none' }
  | { kind: 'cut'; at: number }
  | { kind: 'prefix' | 'suffix'; bytes: Uint8Array }
  | { kind: 'reach'; over: number }

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

const hostility: fc.Arbitrary<Hostility> = fc.oneof(
  { arbitrary: fc.constant({ kind: 'none' as const }), weight: 3 },
  { arbitrary: share.map((at) => ({ kind: 'cut' as const, at })), weight: 1 },
  {
    arbitrary: fc.record({
      kind: fc.constantFrom('prefix' as const, 'suffix' as const),
      bytes: fc.oneof(
        fc.uint8Array({ minLength: 1, maxLength: 4 }),
        fc.constantFrom(...['{', '[', '"', '}', '{"resourceSpans":['].map((text) => Buffer.from(text))),
      ),
    }),
    weight: 1,
  },
  // A message with a length that reaches into the next request.
  { arbitrary: fc.integer({ min: 1, max: 300 }).map((over) => ({ kind: 'reach' as const, over })), weight: 1 },
)

function disturb(encoding: Encoding, body: Uint8Array, how: Hostility): Uint8Array {
  switch (how.kind) {
    case 'none':
      return body
    case 'cut':
      return body.subarray(0, Math.floor(body.length * how.at))
    case 'prefix':
      return Buffer.concat([how.bytes, body])
    case 'suffix':
      return Buffer.concat([body, how.bytes])
    case 'reach':
      if (encoding === 'json') return Buffer.from(`${Buffer.from(body).toString().slice(0, -2)}${'['.repeat(how.over)}`)
      return Buffer.concat([body, Buffer.from([0x0a, (how.over & 0x7f) | 0x80, how.over >> 7])])
  }
}

interface Sent {
  readonly body: RequestJson
  readonly how: Hostility
}

describe.each(['protobuf', 'json'] as const)('valid and broken %s requests in one batch', (encoding) => {
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

  it('lose no valid span and store no malformed span, when checked', async () => {
    await fc.assert(
      fc.asyncProperty(batch, async (sent) => {
        await landing.command(`TRUNCATE TABLE ${landing.database}.otel_traces`)
        const valid: RequestJson[] = []
        const accepted: ReceivedRequest[] = []
        for (const { body, how } of sent) {
          const received = receive(encoding, disturb(encoding, encode(encoding, body), how))
          // A mutated request may still be valid: cut between two messages, or with an unknown field.
          if (received.ok) accepted.push(received.request)
          if (how.kind === 'none') {
            expect(received.ok).toBe(true)
            valid.push(body)
          }
        }
        const results = await Promise.all(accepted.map((request) => writer.write(request)))
        for (const { errorMessage } of results) expect(errorMessage).toBe('')
        const stored = (await landing.values()).map((row) => JSON.stringify(row))
        expect(stored.length).toBe(accepted.reduce((sum, { spans }) => sum + spans, 0))
        expect(stored).toEqual(expect.arrayContaining(valid.flatMap(collectorRows).map((row) => JSON.stringify(row))))
      }),
      { numRuns: 10 },
    )
  })

  it('lose no valid span when nothing checked the malformed requests', async () => {
    await fc.assert(
      fc.asyncProperty(batch, async (sent) => {
        await landing.command(`TRUNCATE TABLE ${landing.database}.otel_traces`)
        const results = await Promise.all(
          sent.map(async ({ body, how }) => {
            const received = receive(encoding, encode(encoding, body))
            if (!received.ok) throw new Error(received.message)
            const { request: valid } = received
            const bytes = disturb(encoding, valid.body, how)
            const counted: WriteRequest = { encoding, body: bytes, spans: valid.spans }
            return { body, how, spans: valid.spans, result: await writer.write(counted) }
          }),
        )
        const valid = results.filter(({ how }) => how.kind === 'none')
        for (const { result } of valid) expect(result.rejectedSpans).toBe(0)
        const stored = (await landing.values()).map((row) => JSON.stringify(row))
        const wanted = valid.flatMap(({ body }) => collectorRows(body)).map((row) => JSON.stringify(row))
        expect(stored).toEqual(expect.arrayContaining(wanted))
      }),
      { numRuns: 10 },
    )
  })
})

const batch: fc.Arbitrary<Sent[]> = fc.array(fc.record({ body: request, how: hostility }), {
  minLength: 2,
  maxLength: 8,
})
