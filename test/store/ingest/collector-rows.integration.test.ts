import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { receive } from '../../../src/otlp/index.js'
import { encodeRequest, type RequestJson } from '../../otlp/encode-request.js'
import { freshLanding, type Landing } from './landing.js'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/collector-rows/${name}`, import.meta.url))

const json = fixture('request.otlp.json')
const bodies = { json, protobuf: encodeRequest(JSON.parse(json.toString()) as RequestJson) }
const collectorRows = fixture('rows.jsonl').toString().split('\n').filter(Boolean).sort()

describe.each(['protobuf', 'json'] as const)('a request that the collector has stored, sent as %s', (encoding) => {
  let landing: Landing
  beforeAll(async () => {
    landing = await freshLanding()
  })
  afterAll(() => landing.drop())

  it('produces the collector’s rows, value for value', async () => {
    const received = receive(encoding, bodies[encoding])
    if (!received.ok) throw new Error(received.message)
    expect(received.request).toMatchObject({ spans: 11, refused: undefined })
    expect(await landing.writer().write(received.request)).toEqual({ rejectedSpans: 0, errorMessage: '' })
    expect(await landing.rows()).toEqual(collectorRows)
  })
})
