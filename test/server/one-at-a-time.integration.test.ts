import { serve } from '@hono/node-server'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { otlpRoute } from '../../src/server/otlp-route.js'
import { encodeRequest } from '../otlp/encode-request.js'
import { freshLanding, type Landing } from '../store/ingest/landing.js'
import { makeRequest, makeSpan } from '../store/ingest/sample-spans.js'

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

/** HTTP clients that have one request in flight at a time: the agent of each of their requests. */
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

/** What waits for a timer is never answered, but for the ClickHouse client's, which only lets other events go first. */
function timersNeverRing(): void {
  const real = setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms = 0) =>
    real(callback, ms === 0 ? 0 : 3_600_000).unref()) as typeof setTimeout)
}

describe('a client with one request in flight at a time', () => {
  it.each(Object.entries(CLIENTS))('%s, never waits for a timer', async (_, client) => {
    const writer = landing.writer()
    const server = serve({ fetch: otlpRoute({ writer }).fetch, hostname: '127.0.0.1', port: 0 })
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
    const agentOf = client()
    timersNeverRing()
    for (let number = 0; number < 8; number++) {
      expect(await post(url, encodeRequest(makeRequest([makeSpan(number)])), agentOf(number))).toBe(200)
    }
    vi.restoreAllMocks()
    expect(await landing.count()).toBe(8)
    server.close()
    await writer.close()
  })
})
