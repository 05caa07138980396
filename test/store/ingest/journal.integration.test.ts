import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Encoding, SpanWriter, SpanWriterOptions, WriteRequest } from '../../../src/store/ingest/index.js'
import { freshLanding, type Landing } from './landing.js'
import { encode, makeRequest, makeSpan } from './sample-spans.js'

const STORED = { rejectedSpans: 0, errorMessage: '' }
const MARKS = ['sender']

const request = (number: number, encoding: Encoding = 'protobuf'): WriteRequest => ({
  encoding,
  body: encode(encoding, makeRequest([makeSpan(number)])),
  spans: 1,
})

let landing: Landing
const writers: SpanWriter[] = []
beforeEach(async () => {
  landing = await freshLanding()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(writers.splice(0).map((writer) => writer.close()))
  await landing.drop()
})

let passed = 0

/** A writer with a journal whose sender has just been answered, by a clock that only `passed` advances. */
async function briskly(options: Partial<SpanWriterOptions> = {}): Promise<SpanWriter> {
  const writer = landing.writer({ journal: true, ...options })
  writers.push(writer)
  const now = performance.now()
  passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now + passed)
  for (const encoding of ['protobuf', 'json'] as const) await writer.write(request(0, encoding), MARKS)
  return writer
}

type Exec = typeof landing.client.exec

const INTO_TABLES = /^INSERT INTO \S+\.otlp_(protobuf|json) /

/** Inserts into the tables that end when the test completes them, or fail as long as it wants. */
function holdInserts(): { release: () => void; fail: (reason: Error | undefined) => void } {
  const real = landing.client.exec.bind(landing.client)
  let release = (): void => {}
  let reason: Error | undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  vi.spyOn(landing.client, 'exec').mockImplementation((async (params: Parameters<Exec>[0]) => {
    if (!INTO_TABLES.test(params.query)) return real(params as never)
    await released
    if (reason) throw reason
    return real(params as never)
  }) as Exec)
  return {
    release,
    fail: (error) => {
      reason = error
      release()
    },
  }
}

const journalled = () => landing.count('otlp_journal')

describe.each(['protobuf', 'json'] as const)('the journal, for %s', (encoding) => {
  it('acknowledges spans of a sender that waits for each response before they are in the tables', async () => {
    const writer = await briskly()
    const { release } = holdInserts()
    for (const number of [1, 2, 3]) expect(await writer.write(request(number, encoding), MARKS)).toEqual(STORED)
    expect([await landing.count(), await journalled()]).toEqual([2, 3])
    release()
    await writer.settled()
    expect(await landing.count()).toBe(5)
    await vi.waitUntil(async () => (await journalled()) === 0)
  })

  it('hands the spans that a writer left there to the next writer', async () => {
    const writer = await briskly()
    const { release } = holdInserts()
    await Promise.all([1, 2].map((number) => writer.write(request(number, encoding), MARKS)))
    vi.restoreAllMocks()
    const another = landing.writer({ journal: true })
    writers.push(another)
    await another.takeOver('orphaned')
    expect(await landing.count()).toBe(2)
    await another.takeOver('all')
    expect(await landing.count()).toBe(4)
    // Its writer may still write to it.
    expect(await journalled()).toBe(2)
    release()
    await writer.settled()
  })
})

it('drops orphaned spans after they are in the tables', async () => {
  const { body } = request(1)
  await landing.command(
    `INSERT INTO ${landing.database}.otlp_journal (Segment, TakenAt, Encoding, SpanCount, Body)
     VALUES ('old', now() - 100, 'protobuf', 1, unhex('${Buffer.from(body).toString('hex')}'))`,
  )
  const writer = landing.writer({ journal: true })
  writers.push(writer)
  await writer.takeOver('orphaned')
  expect([await landing.count(), await journalled()]).toEqual([1, 0])
})

it('does not keep waiting senders that are new, slow or without marks', async () => {
  const writer = await briskly()
  const inserts = vi.spyOn(landing.client, 'exec')
  passed = 2000
  await writer.write(request(1), MARKS)
  await writer.write(request(2), ['another'])
  await writer.write(request(3))
  expect(inserts.mock.calls.filter(([{ query }]) => query.includes('otlp_journal'))).toEqual([])
  expect(await landing.count()).toBe(5)
})

it('writes spans to the tables that rejected them at first', async () => {
  const writer = await briskly({ retries: 0 })
  const tables = holdInserts()
  await writer.write(request(1), MARKS)
  tables.fail(new Error('socket hang up'))
  const settled = writer.settled()
  await expect(writer.write(request(2))).rejects.toMatchObject({ code: 'store_unreachable' })
  tables.fail(undefined)
  await settled
  expect(await landing.count()).toBe(3)
})

it('keeps spans that the tables reject until it is closed', async () => {
  const writer = await briskly({ retries: 0 })
  const tables = holdInserts()
  await writer.write(request(1), MARKS)
  tables.fail(new Error('socket hang up'))
  await writer.close()
  vi.restoreAllMocks()
  expect([await landing.count(), await journalled()]).toEqual([2, 1])
})

it('waits for the tables if the journal accepts nothing', async () => {
  const writer = await briskly()
  await landing.command(`DROP TABLE ${landing.database}.otlp_journal`)
  expect(await writer.write(request(1), MARKS)).toEqual(STORED)
  expect(await landing.count()).toBe(3)
})

it('rejects spans that neither the tables nor the journal accepts', async () => {
  const writer = await briskly({ retries: 0 })
  vi.spyOn(landing.client, 'exec').mockRejectedValue(new Error('socket hang up'))
  await expect(writer.write(request(1), MARKS)).rejects.toMatchObject({ code: 'store_unreachable' })
})
