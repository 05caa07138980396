import { Client, credentials } from '@grpc/grpc-js'
import { serve } from '@hono/node-server'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { listenOtlp } from '../../../src/server/intake/otlp-grpc.js'
import { otlpRoute } from '../../../src/server/intake/otlp-route.js'
import type { SpanWriter } from '../../../src/store/ingest/index.js'
import { encodeRequest } from '../../otlp/encode-request.js'
import { freshLanding, type Landing } from '../../store/ingest/landing.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'
import { otlpClient, TRACES } from '../otlp-client.js'

const TYPE = { 'content-type': 'application/x-protobuf' }
const spanOf = (number: number) => encodeRequest(makeRequest([makeSpan(number)]))

let landing: Landing
const closing: (() => unknown)[] = []
beforeEach(async () => {
  landing = await freshLanding()
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0).toReversed()) await close()
  await landing.drop()
})

/** Receivers of both protocols over one writer. */
async function startReceivers(writer: SpanWriter) {
  const server = serve({ fetch: otlpRoute({ writer }).fetch, hostname: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const grpc = await listenOtlp({ writer }, { host: '127.0.0.1', port: 0 })
  const writes = vi.spyOn(writer, 'write')
  closing.push(
    () => writer.close(),
    () => grpc.close(AbortSignal.abort()),
    () => server.close(),
  )
  const { port } = server.address() as AddressInfo
  return {
    port,
    grpcPort: grpc.port,
    post: (body: Uint8Array) =>
      fetch(`http://127.0.0.1:${port}/v1/traces`, { method: 'POST', headers: TYPE, body: new Uint8Array(body) }),
    taken: (count: number) => vi.waitUntil(() => writes.mock.calls.length === count),
    fate: (write: number) => writes.mock.results[write]?.value as Promise<unknown>,
  }
}

type Exec = typeof landing.client.exec

/** Inserts that end only when the test releases them. */
function holdInserts(): () => void {
  const real = landing.client.exec.bind(landing.client)
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  vi.spyOn(landing.client, 'exec').mockImplementation((async (params: Parameters<Exec>[0]) => {
    if (params.query.startsWith('INSERT')) await released
    return real(params as never)
  }) as Exec)
  return release
}

it('stores nothing for a client that disconnected while it waited', async () => {
  const { port, grpcPort, post, taken, fate } = await startReceivers(landing.writer())
  const release = holdInserts()
  const first = post(spanOf(1))
  await taken(1)

  const body = spanOf(2)
  const socket = connect(port, '127.0.0.1')
  const head = `POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${TYPE['content-type']}\r\n`
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`)
  socket.write(body)
  await taken(2)
  socket.destroy()
  await expect(fate(1)).rejects.toMatchObject({ code: 'store_busy' })

  const client = new Client(`127.0.0.1:${grpcPort}`, credentials.createInsecure())
  closing.push(() => client.close())
  const asIs = (bytes: Uint8Array) => Buffer.from(bytes)
  const call = client.makeUnaryRequest(`/${TRACES}/Export`, asIs, asIs, spanOf(3), () => {})
  await taken(3)
  call.cancel()
  await expect(fate(2)).rejects.toMatchObject({ code: 'store_busy' })

  const last = post(spanOf(4))
  await taken(4)
  release()
  expect([(await first).status, (await last).status]).toEqual([200, 200])
  vi.restoreAllMocks()
  const stored = `SELECT arraySort(groupArray(SpanName)) FROM ${landing.database}.otel_traces`
  expect(await landing.scalar(stored)).toBe("['span 1','span 4']")
})

it('rejects at once, before reading it, a request that it could not answer in time', async () => {
  const { port, grpcPort, post, taken } = await startReceivers(landing.writer({ maxWaitMs: 0 }))
  expect((await post(spanOf(1))).status).toBe(200)
  const release = holdInserts()
  const held = post(spanOf(2))
  await taken(2)

  const refused = await post(spanOf(3))
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, expect.any(Number)])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

  // None of the 10 MB is sent yet.
  const socket = connect(port, '127.0.0.1')
  const head = `POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${TYPE['content-type']}\r\n`
  socket.write(`${head}Content-Length: 10000000\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: \d/i)
  socket.destroy()

  const client = otlpClient(grpcPort)
  closing.push(() => client.close())
  const outcome = await client.export(spanOf(4))
  expect(outcome.code).toBe(14)
  expect(outcome.retryAfter).toBeGreaterThan(0)

  release()
  expect((await held).status).toBe(200)
  expect((await post(spanOf(5))).status).toBe(200)
})
