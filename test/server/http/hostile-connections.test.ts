import { once } from 'node:events'
import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

import { listenUnary } from '../../../src/server/grpc/index.js'
import { CONNECTION_LIMITS } from '../../../src/server/http/connection-limits.js'
import { listen } from '../../../src/server/http/listen.js'
import { Turns } from '../../../src/server/http/turns.js'

const ADDRESS = { host: '127.0.0.1', port: 0 }

async function connected(status: number): Promise<{ socket: Socket; received: () => string }> {
  const listener = await listen(() => new Response('answer', { status }), ADDRESS)
  onTestFinished(() => listener.close(AbortSignal.abort()))
  const socket = connect(listener.port, '127.0.0.1').on('error', () => {})
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
  await once(socket, 'connect')
  return { socket, received: () => text }
}

const countOf = (text: string, status: number): number => text.split(`HTTP/1.1 ${status} `).length - 1

test('begins one request of each connection before the next one of any', async () => {
  const turns = new Turns()
  const begun: string[] = []
  const [flood, other] = [{}, {}]
  for (let count = 0; count < 100; count++) turns.run(flood, () => begun.push('flood'))
  turns.run(other, () => begun.push('other'))
  while (begun.length < 101) await setTimeout(0)
  expect(begun.indexOf('other')).toBeLessThan(20)
})

test('a body may arrive after its early response, and the connection is used again', async () => {
  const { socket, received } = await connected(503)
  const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n'
  socket.write(`${post}ab`)
  await setTimeout(700)
  socket.write(`cd${post}abcd`)
  while (countOf(received(), 503) < 2) {
    expect(socket.closed).toBe(false)
    await setTimeout(5)
  }
})

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a connection is closed after too many rejected requests in a row', async () => {
  const { socket, received } = await connected(401)
  const closed = once(socket, 'close')
  for (let count = 1; count <= CONNECTION_LIMITS.refused; count++) {
    socket.write(GET)
    while (countOf(received(), 401) < count) await setTimeout(1)
  }
  await expect(closed).resolves.not.toThrow()
})

test('a connection is closed if its client does not wait for responses', async () => {
  const { socket } = await connected(200)
  const closed = once(socket, 'close')
  socket.write(GET.repeat(CONNECTION_LIMITS.pipelined + 1))
  await expect(closed).resolves.not.toThrow()
})

const OK = { ok: true, message: new Uint8Array() } as const

async function session(): Promise<ClientHttp2Session> {
  const listener = await listenUnary(new Map([['/known', async () => OK]]), { ...ADDRESS, option: '--grpc-port' })
  onTestFinished(() => listener.close(AbortSignal.abort()))
  const client = connectHttp2(`http://127.0.0.1:${listener.port}`).on('error', () => {})
  onTestFinished(() => client.destroy())
  await once(client, 'remoteSettings')
  return client
}

const call = (client: ClientHttp2Session, path: string, headers: Record<string, string> = {}) =>
  client
    .request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', ...headers })
    .on('error', () => {})
    .resume()

test('a gRPC connection has few calls at once until one has succeeded', async () => {
  const client = await session()
  expect(client.remoteSettings.maxConcurrentStreams).toBe(CONNECTION_LIMITS.firstCalls)
  call(client, '/known').end()
  const [settings] = await once(client, 'remoteSettings')
  expect(settings).toMatchObject({ maxConcurrentStreams: CONNECTION_LIMITS.calls })
})

test('a gRPC connection is ended after too many rejected calls in a row', async () => {
  const client = await session()
  const closed = new Promise((resolve) => client.once('close', resolve))
  for (let count = 0; count < CONNECTION_LIMITS.refused; count++) {
    const ended = call(client, '/unknown')
    await new Promise((resolve) => ended.once('close', resolve).end())
  }
  await expect(closed).resolves.not.toThrow()
})

test('a gRPC call is rejected whose metadata is too large', async () => {
  const client = await session()
  const headers = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x-${at}`, 'v'.repeat(1_000)]))
  const rejected = call(client, '/known', headers)
  await new Promise((resolve) => rejected.once('close', resolve).end())
  expect(rejected.rstCode).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM)
})
