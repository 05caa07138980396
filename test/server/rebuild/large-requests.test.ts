import { afterAll, describe, expect, test, vi } from 'vitest'

import { receive } from '../../../src/otlp/index.js'
import { receiveInTurn, requestWorkers } from '../../../src/server/rebuild/request-receiver.js'
import { encodeRequest } from '../../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'

const pool = requestWorkers()
afterAll(() => pool.close())

const attributes = (value: object) => Array.from({ length: 100 }, (_, number) => ({ key: `a.${number}`, value }))
const spans = (value: object) =>
  Array.from({ length: 200 }, (_, number) => makeSpan(number, { attributes: attributes(value) }))
const text = { stringValue: 'a text' }
const list = { arrayValue: { values: [text, { intValue: 3 }] } }

const REQUESTS = {
  'that is relayed': makeRequest(spans(text)),
  'that is written anew': makeRequest(spans(list)),
  'with a rejected span': makeRequest([...spans(text), makeSpan(200, { spanId: '' })]),
}
const encode = { protobuf: encodeRequest, json: (body: object) => Buffer.from(JSON.stringify(body)) }

describe.each(['protobuf', 'json'] as const)('a large request, %s,', (encoding) => {
  test.each(Object.entries(REQUESTS))('%s gives the same result with and without a worker', async (_, request) => {
    const body = encode[encoding](request as never)
    expect(body.length).toBeGreaterThan(64 << 10)
    const expected = receive(encoding, Buffer.from(body))
    using run = vi.spyOn(pool, 'run')
    const result = await receiveInTurn(pool, { encoding, body, options: {} })
    expect(run).toHaveBeenCalledOnce()
    expect(expected).toMatchObject({ ok: true })
    expect(plain(result)).toEqual(plain(expected))
  })

  test('a malformed request is rejected with the same message', async () => {
    const body = encode[encoding](REQUESTS['that is relayed'] as never).subarray(0, 100_000)
    const expected = receive(encoding, Buffer.from(body))
    expect(await receiveInTurn(pool, { encoding, body, options: {} })).toEqual(expected)
    expect(expected).toMatchObject({ ok: false, isTooLarge: false })
  })
})

/** The value with bytes as text, whatever their array type. */
function plain(result: ReturnType<typeof receive>) {
  if (!result.ok) return result
  const { request } = result
  const textOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('latin1')
  return { ...request, body: textOf(request.body), resource: textOf(request.resource) }
}
