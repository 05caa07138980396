import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

import { startServer } from '../../../src/server/index.js'
import { encodeRequest } from '../../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'
import { fill, NO_SMALL_DISK, smallDisk } from '../../support/small-disk.js'

const record = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')

test('a full disk rejects spans but serves reads; with free space everything continues by itself', async (context) => {
  const disk = smallDisk()
  if (disk === undefined) return context.skip(NO_SMALL_DISK)
  const server = await startServer({ port: 0, dataDirectory: join(disk, 'data') })
  onTestFinished(() => server.close())
  const get = (path: string) => fetch(`${server.url}${path}`)
  const recordOf = (planId: string) => record.replaceAll('plan-1767061562002', planId)
  const store = (planId: string) => fetch(`${server.url}/api/records`, { method: 'POST', body: recordOf(planId) })
  const send = () =>
    fetch(`${server.url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(encodeRequest(makeRequest([makeSpan(1)]))),
    })
  expect((await store('plan-before')).status).toBe(200)
  expect((await get('/readyz')).status).toBe(200)

  const free = fill(disk)
  const isFull = expect.stringMatching(/disk is full.*reading continues.*Free some space/)
  await vi.waitFor(async () => expect((await store('plan-during')).status).toBe(503), { timeout: 20_000 })
  for (const answer of [await store('plan-during'), await send()]) {
    expect([answer.url, answer.status, answer.headers.get('retry-after')]).toEqual([answer.url, 503, '5'])
    expect(await answer.text()).toEqual(isFull)
  }
  const ready = await get('/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    503,
    expect.objectContaining({ status: 'unavailable', code: 'disk_full', reason: isFull }),
  ])
  expect((await get('/readyz?reading')).status).toBe(200)
  const before = await get('/api/records/plan-before')
  expect(await before.text()).toBe(recordOf('plan-before'))
  expect((await get('/api/records')).status).toBe(200)

  free()
  await vi.waitFor(async () => expect((await get('/readyz')).status).toBe(200), { timeout: 20_000 })
  expect((await store('plan-during')).status).toBe(200)
  expect((await send()).status).toBe(200)
  expect((await get('/api/records/plan-during')).status).toBe(200)
})
