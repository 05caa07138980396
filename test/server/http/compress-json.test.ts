import { Hono } from 'hono'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

import { compressJson, streamedAnswer, taggedAnswer } from '../../../src/server/http/index.js'

const LARGE = JSON.stringify({ words: 'the same '.repeat(1000) })
const bodyOf = (text: string) => ({ body: new TextEncoder().encode(text), checksum: text })
const JSON_TYPE = { 'content-type': 'application/json' }
const app = new Hono()
  .use(compressJson)
  .get('/large', (c) => taggedAnswer(c, bodyOf(LARGE), JSON_TYPE))
  .get('/small', (c) => taggedAnswer(c, bodyOf('{}'), JSON_TYPE))
  .get('/stream', (c) =>
    streamedAnswer(
      c,
      (async function* () {
        yield new TextEncoder().encode(LARGE)
      })(),
      'application/x-ndjson',
    ),
  )
const ask = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers })
const GZIP = { 'accept-encoding': 'br, gzip' }

test('large JSON is compressed for clients that accept it', async () => {
  const plain = await ask('/large')
  const packed = await ask('/large', GZIP)
  const bytes = Buffer.from(await packed.arrayBuffer())
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, LARGE])
  expect([packed.headers.get('content-encoding'), gunzipSync(bytes).toString()]).toEqual(['gzip', LARGE])
  expect(bytes.length).toBeLessThan(LARGE.length / 20)
  expect([plain, packed].map(({ headers }) => headers.get('vary'))).toEqual(['accept-encoding', 'accept-encoding'])
  const known = { ...GZIP, 'if-none-match': packed.headers.get('etag')! }
  expect((await ask('/large', known)).status).toBe(304)
})

test('a client that refuses gzip gets plain JSON', async () => {
  const headers = ['br', 'gzip;q=0', 'gzip; q=0.0, br'].map((accepted) => ({ 'accept-encoding': accepted }))
  const answers = await Promise.all(headers.map((each) => ask('/large', each)))
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual([LARGE, LARGE, LARGE])
  expect((await ask('/large', { 'accept-encoding': 'gzip;q=0.5' })).headers.get('content-encoding')).toBe('gzip')
})

test.each(['/small', '/stream'])('%s is sent as it is', async (path) => {
  const answer = await ask(path, GZIP)
  expect([answer.headers.get('content-encoding'), (await answer.text()).slice(0, 1)]).toEqual([null, '{'])
})
