import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

import { drain, listen, type Listener } from '../../../src/server/http/listen.js'
import { listenOtlp } from '../../../src/server/intake/otlp-grpc.js'
import { otlpClient } from '../otlp-client.js'

const NEVER_MS = 60_000
const idleWriter = { close: () => Promise.resolve() }

function deferred<T = void>() {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function serving(fetch: () => Response | Promise<Response>): Promise<Listener> {
  const listener = await listen(fetch, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listener.close(AbortSignal.abort()))
  return listener
}

async function connected({ port }: Listener): Promise<{ socket: Socket; received: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {})
  return { socket, received: once(socket, 'close').then(() => Buffer.concat(chunks).toString()) }
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a running request is answered with Connection: close, and holds nothing open', async () => {
  const begun = deferred()
  const answer = deferred<Response>()
  const listener = await serving(() => {
    begun.resolve()
    return answer.promise
  })
  const { socket, received } = await connected(listener)
  socket.write(REQUEST)
  await begun.promise
  const drained = drain([listener], idleWriter, NEVER_MS)
  answer.resolve(new Response('all of it'))
  await drained
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n(.*\r\n)*connection: close\r\n(.*\r\n)*\r\nall of it$/i)
})

test('a response whose headers are sent is completed, and its connection ends with it', async () => {
  const end = deferred()
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from('first '))
      await end.promise
      controller.enqueue(Buffer.from('last'))
      controller.close()
    },
  })
  const listener = await serving(() => new Response(body))
  const { socket, received } = await connected(listener)
  socket.write(REQUEST)
  await once(socket, 'data')
  const drained = drain([listener], idleWriter, NEVER_MS)
  end.resolve()
  await drained
  expect(await received).toMatch(/first .*last/s)
})

test('an idle connection gets one more response, and no new connection is accepted', async () => {
  const listener = await serving(() => new Response('late'))
  const { socket, received } = await connected(listener)
  // Answered, so the server has accepted the first connection as well.
  await (await fetch(`http://127.0.0.1:${String(listener.port)}`)).text()
  const drained = drain([listener], idleWriter, NEVER_MS)
  socket.write(REQUEST)
  await drained
  expect(await received).toMatch(/connection: close\r\n.*late/is)
  await expect(fetch(`http://127.0.0.1:${String(listener.port)}`)).rejects.toThrow('fetch failed')
})

test('after the deadline only requests that are being stored are still answered', async () => {
  const begun = deferred()
  const stored = deferred()
  const listener = await serving(async () => {
    begun.resolve()
    await stored.promise
    return new Response('stored')
  })
  const sender = await connected(listener)
  sender.socket.write(REQUEST)
  await begun.promise
  const silent = await connected(listener)
  silent.socket.write('POST / HTTP/1.1\r\n')
  const writer = {
    close: () => {
      stored.resolve()
      return stored.promise
    },
  }
  await drain([listener], writer, 0)
  expect(await sender.received).toContain('stored')
  expect(await silent.received).toBe('')
})

test('a gRPC client that does not close its connection is disconnected', async () => {
  const write = () => Promise.reject(new Error('unreachable'))
  const listener = await listenOtlp({ writer: { check: () => {}, write } }, { host: '127.0.0.1', port: 0 })
  const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  const client = otlpClient(listener.port)
  // Answered, so the server has accepted the first connection as well.
  expect(await client.export(Buffer.from('no request'))).toMatchObject({ code: 3 })
  client.close()
  await drain([listener], idleWriter, 0)
  // Nothing can be written to a connection that is closed at the other end.
  while (!socket.destroyed) {
    socket.write(' ')
    await setImmediate()
  }
})
