import { serve } from '@hono/node-server'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { otlpRoute } from '../../../src/server/intake/otlp-route.js'
import { encodeRequest } from '../../otlp/encode-request.js'
import { freshLanding, type Landing } from '../../store/ingest/landing.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'

let landing: Landing
beforeEach(async () => {
  landing = await freshLanding()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await landing.drop()
})

const oneSocket = () => new Agent({ keepAlive: true, maxSockets: 1 })

function post(url: string, body: Uint8Array, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-protobuf', 'content-length': body.length }
    const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer
        .resume()
        .on('end', () => resolve(answer.statusCode))
        .on('error', reject)
    })
    outgoing.on('error', reject).end(body)
  })
}

/** HTTP clients with one request in flight at a time: the agent of each of their requests. */
const CLIENTS = {
  'that keeps one socket': () => {
    const agent = oneSocket()
    return () => agent
  },
  'whose sockets take turns': () => {
    const agents = [oneSocket(), oneSocket()] as const
    return (number: number) => agents[number % 2 === 0 ? 0 : 1]
  },
  'with a new socket a request': () => () => new Agent({ keepAlive: false }),
}

/** Timers never fire, except the ClickHouse client's, which only yield to other events. */
function timersNeverRing(): void {
  const real = setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms = 0) =>
    real(callback, ms === 0 ? 0 : 3_600_000).unref()) as typeof setTimeout)
}

/** A clock that stands still until the test advances it. */
function stoppedClock(): { pass: (ms: number) => void } {
  let time = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  return {
    pass: (ms) => {
      time += ms
    },
  }
}

/** A receiver over a socket; `taken` resolves when that many requests have reached the writer. */
async function startReceiver() {
  const writer = landing.writer()
  const inserts = vi.spyOn(landing.client, 'exec')
  const writes = vi.spyOn(writer, 'write')
  const server = serve({ fetch: otlpRoute({ writer }).fetch, hostname: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    inserts: () => inserts.mock.calls.length,
    taken: (count: number) => vi.waitUntil(() => writes.mock.calls.length === count),
    async close() {
      server.close()
      await writer.close()
    },
  }
}

const spanOf = (number: number, service?: string) => encodeRequest(makeRequest([makeSpan(number)], service))

describe('a client with one request in flight at a time', () => {
  it.each(Object.entries(CLIENTS))('%s, never waits for a timer', async (_, client) => {
    const { url, close } = await startReceiver()
    const agentOf = client()
    timersNeverRing()
    for (let number = 0; number < 8; number++) expect(await post(url, spanOf(number), agentOf(number))).toBe(200)
    vi.restoreAllMocks()
    expect(await landing.count()).toBe(8)
    await close()
  })

  it.each(Object.entries(CLIENTS))('%s, is stored together with requests that can wait', async (_, client) => {
    const { url, inserts, taken, close } = await startReceiver()
    const agentOf = client()
    const clock = stoppedClock()
    timersNeverRing()
    const agents = Array.from({ length: 8 }, (_agent, number) => {
      const socket = oneSocket()
      return (request: number) => post(url, spanOf(request * 100 + number, `agent ${number}`), socket)
    })
    for (const send of agents) expect(await send(1)).toBe(200)
    clock.pass(5000)
    const waiting = agents.map((send) => send(2))
    await taken(16)
    expect(inserts()).toBe(8)
    for (let number = 0; number < 8; number++) {
      expect(await post(url, spanOf(number), agentOf(number))).toBe(200)
      expect(inserts()).toBe(9 + number)
    }
    expect(await Promise.all(waiting)).toEqual(agents.map(() => 200))
    vi.restoreAllMocks()
    expect(await landing.count()).toBe(24)
    await close()
  })
})
