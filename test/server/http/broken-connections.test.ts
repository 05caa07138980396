import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createApp } from '../../../src/server/index.js'
import { listen, type Listener } from '../../../src/server/http/listen.js'
import type { Store } from '../../../src/store/index.js'

let listener: Listener
const answered: number[] = []

beforeEach(async () => {
  answered.length = 0
  // No request reaches the store or the writer.
  const writer = { check: () => {}, write: () => Promise.reject(new Error('unreachable')) }
  const app = createApp({ store: {} as Store, writer })
  const fetch = async (request: Request) => {
    const response = await app.fetch(request)
    answered.push(response.status)
    return response
  }
  listener = await listen(fetch, { host: '127.0.0.1', port: 0 })
})
afterEach(() => listener.close(AbortSignal.abort()))

test.each([
  ['/v1/traces', 'Content-Length: 1000\r\n\r\n{'],
  ['/v1/traces', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
  ['/api/records', 'Content-Length: 1000\r\n\r\n{'],
  ['/api/records', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
])(
  'a %s client that disconnects in the middle of its request is not reported as a server failure',
  async (path, rest) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const socket = connect(listener.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.end(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${rest}`)
    await vi.waitFor(() => expect(answered).toEqual([400]), { timeout: 5_000 })
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  },
)
