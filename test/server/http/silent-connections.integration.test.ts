import { Hono } from 'hono'
import { once } from 'node:events'
import type { ClientHttp2Stream } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { BodyReader } from '../../../src/server/http/body-reader.js'
import { importRoute } from '../../../src/server/transfer/import-route.js'
import { LeastRate } from '../../../src/server/http/least-rate.js'
import { listen, type Listener } from '../../../src/server/http/listen.js'
import { listenOtlp } from '../../../src/server/intake/otlp-grpc.js'
import { otlpRoute } from '../../../src/server/intake/otlp-route.js'
import type { SpanWriter } from '../../../src/store/ingest/index.js'
import { encodeRequest } from '../../otlp/encode-request.js'
import { freshLanding, type Landing } from '../../store/ingest/landing.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'
import { frame, openCall, otlpClient } from '../otlp-client.js'

const ADDRESS = { host: '127.0.0.1', port: 0 }
const MANY = 200
const LARGEST = 64 << 20
const [body, other] = [1, 2].map((seed) => encodeRequest(makeRequest([makeSpan(seed)]))) as [Uint8Array, Uint8Array]

let landing: Landing
let writer: SpanWriter
const open: (() => unknown)[] = []
beforeEach(async () => {
  landing = await freshLanding()
  writer = landing.writer()
})
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
  await writer.close()
  await landing.drop()
})

async function serve(bodies: BodyReader): Promise<{ http: Listener; grpc: Listener }> {
  const app = new Hono()
  app.route('/', otlpRoute({ writer, bodies }))
  app.route('/', importRoute({ writer, bodies }))
  const http = await listen(app.fetch, ADDRESS)
  const grpc = await listenOtlp({ writer, bodies }, ADDRESS)
  for (const listener of [http, grpc]) open.push(() => listener.close(AbortSignal.abort()))
  return { http, grpc }
}

/** A connection that declares a large body, and sends one byte of it. */
async function silent(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  open.push(() => socket.destroy())
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
  await new Promise((resolve) => socket.write(`${head}Content-Length: ${LARGEST}\r\n\r\n{`, resolve))
  return socket
}

async function textOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

const postSpans = (port: number) =>
  fetch(`http://127.0.0.1:${port}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf' },
    body: new Uint8Array(body),
  })

describe('connections that declare 64 MiB and send one byte', () => {
  test('take no memory from others', async () => {
    const { http, grpc } = await serve(new BodyReader())
    for (let count = 0; count < MANY; count++) await silent(http.port, count % 2 === 0 ? '/v1/traces' : '/api/records')
    expect((await postSpans(http.port)).status).toBe(200)
    const client = otlpClient(grpc.port)
    open.push(() => client.close())
    expect(await client.export(other)).toMatchObject({ code: 0 })
    expect(await landing.count()).toBe(2)
  })

  test.each(['/v1/traces', '/api/records'])('are ended with 408 when nothing more arrives: %s', async (path) => {
    const { http } = await serve(new BodyReader({ rate: new LeastRate({ everyMs: 50 }) }))
    const answers = await Promise.all(Array.from({ length: 8 }, async () => textOf(await silent(http.port, path))))
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 .*connection: close.*too slowly/is)
  })
})

describe('gRPC calls whose message does not arrive', () => {
  const cut = frame(new Uint8Array([10]), { length: LARGEST - 1 })

  function silentCall({ grpc }: { grpc: Listener }): ClientHttp2Stream {
    const call = openCall(grpc.port, cut, { isWhole: false }).on('error', () => {})
    open.push(() => call.destroy())
    return call
  }

  test('take no memory from others', async () => {
    const listeners = await serve(new BodyReader())
    const calls = Array.from({ length: MANY }, () => silentCall(listeners))
    await Promise.all(calls.map((call) => once(call, 'ready')))
    const client = otlpClient(listeners.grpc.port)
    open.push(() => client.close())
    expect(await client.export(body)).toMatchObject({ code: 0 })
    expect((await postSpans(listeners.http.port)).status).toBe(200)
  })

  test('are ended with DEADLINE_EXCEEDED', async () => {
    const listeners = await serve(new BodyReader({ rate: new LeastRate({ everyMs: 50 }) }))
    const heads = await Promise.all(Array.from({ length: 8 }, () => once(silentCall(listeners), 'response')))
    for (const [head] of heads) expect(head).toMatchObject({ 'grpc-status': '4' })
  })
})

test('a body is accepted in any chunks', async () => {
  const { http } = await serve(new BodyReader())
  const socket = connect(http.port, '127.0.0.1')
  const head = 'POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\n'
  socket.write(`${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`)
  for (const byte of body) socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]))
  socket.write('0\r\n\r\n')
  expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 200 /)
  expect(await landing.count()).toBe(1)
})
