import { status } from '@grpc/grpc-js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { PlanspanError } from '../../../src/error.js'
import { listenJaeger } from '../../../src/server/jaeger/index.js'
import type { Listener } from '../../../src/server/http/listen.js'
import { createStore } from '../../../src/store/index.js'
import { openTraceStore, type TraceStore } from '../../store/trace-store.js'
import {
  byId,
  FIND_IDS,
  FIND_SUMMARIES,
  FIND_TRACES,
  GET_TRACES,
  jaegerClient,
  message,
  query,
  time,
  type JaegerClient,
} from './jaeger-client.js'

let opened: TraceStore
let listener: Listener
let client: JaegerClient

beforeAll(async () => {
  opened = await openTraceStore()
  listener = await listenJaeger(opened.store.traces, { host: '127.0.0.1', port: 0, outage: () => undefined })
  client = jaegerClient(`127.0.0.1:${listener.port}`)
})
afterAll(async () => {
  client.close()
  await listener.close(AbortSignal.abort())
  await opened.close()
})

describe('bad requests', () => {
  it.each<[string, string, Uint8Array, RegExp]>([
    ['an id of 15 bytes', GET_TRACES, query([1, new Uint8Array(15)]), /16 bytes, not 15/],
    ['no id', GET_TRACES, query(), /16 bytes, not 0/],
    ['a depth below 0', FIND_IDS, query([8, -5]), /not -5/],
    ['a time that ends before it starts', FIND_IDS, query([4, time(2n)], [5, time(1n)]), /starts later than it ends/],
    ['a structured filter', FIND_TRACES, query([9, message([1, 'eq'])]), /Structured filters are not supported/],
    [
      'a field that is cut off',
      FIND_SUMMARIES,
      Buffer.from([0x0a, 0x7f]),
      /is no jaeger\.storage\.v2\.FindTracesRequest/,
    ],
  ])('are rejected: %s', async (_what, method, request, details) => {
    const call = method === FIND_IDS ? client.unary : client.stream
    expect(await call(method, request)).toEqual({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(details),
      messages: [],
    })
  })

  it('are rejected without further effect, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(GET_TRACES, FIND_SUMMARIES),
        fc.uint8Array({ maxLength: 40 }),
        async (method, bytes) => {
          const { code, details } = await client.stream(method, message([1, bytes]))
          expect([code, details]).toEqual([expect.toBeOneOf([status.OK, status.INVALID_ARGUMENT]), expect.anything()])
        },
      ),
      { numRuns: 60 },
    )
  })

  it('return UNIMPLEMENTED for an unknown method', async () => {
    expect(await client.unary('TraceReader/Nothing')).toMatchObject({ code: status.UNIMPLEMENTED })
  })
})

describe('a missing store', () => {
  it.each([
    [
      'unreachable',
      'http://planspan:secret@127.0.0.1:1',
      undefined,
      status.UNAVAILABLE,
      /does not answer \(ECONNREFUSED\)/,
    ],
    [
      'restarting',
      'http://127.0.0.1:1',
      new PlanspanError('clickhouse_failed', 'ClickHouse is restarting.'),
      status.UNAVAILABLE,
      /restarting/,
    ],
  ])('returns %s', async (_what, url, outage, code, details) => {
    const store = createStore({ url })
    const down = await listenJaeger(store.traces, { host: '127.0.0.1', port: 0, outage: () => outage })
    const caller = jaegerClient(`127.0.0.1:${down.port}`)
    const expected = { code, details: expect.stringMatching(details), messages: [] }
    expect(await caller.unary('TraceReader/GetServices')).toEqual(expected)
    expect(await caller.stream(GET_TRACES, byId('a'.repeat(32)))).toEqual(expected)
    expect(await caller.stream(FIND_TRACES, query())).toEqual(expected)
    caller.close()
    await down.close(AbortSignal.abort())
    await store.close()
  })

  it('names the command that creates the tables when they are missing', async () => {
    const store = createStore({ url: inject('clickhouseUrl'), database: 'nowhere' })
    const listening = await listenJaeger(store.traces, { host: '127.0.0.1', port: 0, outage: () => undefined })
    const caller = jaegerClient(`127.0.0.1:${listening.port}`)
    expect(await caller.unary('TraceReader/GetServices')).toMatchObject({
      code: status.FAILED_PRECONDITION,
      details: expect.stringContaining('planspan serve') as string,
    })
    caller.close()
    await listening.close(AbortSignal.abort())
    await store.close()
  })

  it('rejects a port in use, and an address of another machine', async () => {
    const options = { host: '127.0.0.1', port: listener.port, outage: () => undefined }
    await expect(listenJaeger(opened.store.traces, options)).rejects.toMatchObject({ code: 'port_in_use' })
    await expect(listenJaeger(opened.store.traces, { ...options, host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
      code: 'usage',
    })
  })
})
