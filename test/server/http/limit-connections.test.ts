import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'

import { limitConnections } from '../../../src/server/http/bind-port.js'

const open: { destroy(): void }[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

/** A server that sends a greeting. */
async function greeter(limits: Parameters<typeof limitConnections>[1]): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => {}).write('hello'))
  limitConnections(server, limits)
  open.push({ destroy: () => server.close() })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function from(localAddress: string, port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
  open.push(socket)
  return socket
}

const greeted = async (socket: Socket): Promise<boolean> =>
  Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])

test('a single address cannot use all connections, and gets another when it closes one', async () => {
  const port = await greeter({ total: 6, perClient: 2 })
  const first = from('127.0.0.1', port)
  expect(await greeted(first)).toBe(true)
  expect(await greeted(from('127.0.0.1', port))).toBe(true)
  expect(await greeted(from('127.0.0.1', port))).toBe(false)
  expect(await greeted(from('127.0.0.2', port))).toBe(true)
  first.end()
  await once(first, 'close')
  expect(await greeted(from('127.0.0.1', port))).toBe(true)
})
