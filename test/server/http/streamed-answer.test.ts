import { Hono } from 'hono'
import { expect, it, vi } from 'vitest'

import { streamedAnswer } from '../../../src/server/http/answers.js'

/** An app that responds with some chunks, and what it records when they are released. */
function appWith(texts: readonly string[], failure?: Error) {
  const released = vi.fn<() => void>()
  const taken: string[] = []
  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (const text of texts) {
        taken.push(text)
        yield new TextEncoder().encode(text)
      }
      if (failure) throw failure
    } finally {
      released()
    }
  }
  const app = new Hono()
  app.get('/', (c) => streamedAnswer(c, pieces(), 'text/plain'))
  app.onError(({ message }, c) => c.text(message, 503))
  return { app, released, taken }
}

it('sends all chunks', async () => {
  const { app, released } = appWith(['a', 'b', 'c'])
  const response = await app.request('/')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain'])
  expect(await response.text()).toBe('abc')
  expect(released).toHaveBeenCalledOnce()
})

it('sends an empty body without chunks', async () => {
  expect(await (await appWith([]).app.request('/')).text()).toBe('')
})

it('reports a failure before the first chunk by its status, and aborts the response after that', async () => {
  expect((await appWith([], new Error('gone')).app.request('/')).status).toBe(503)
  const begun = await appWith(['a'], new Error('gone')).app.request('/')
  expect(begun.status).toBe(200)
  await expect(begun.text()).rejects.toThrow('gone')
})

it('reads at most one chunk ahead', async () => {
  const { app, taken } = appWith(['a', 'b', 'c'])
  const response = await app.request('/')
  await response.body?.getReader().read()
  expect(taken).toEqual(['a'])
})

it.each([
  ['a client that has gone', async (app: Hono) => (await app.request('/')).body?.cancel()],
  ['HEAD', async (app: Hono) => void (await app.request('/', { method: 'HEAD' }))],
])('releases chunks that nobody reads: %s', async (_, ask) => {
  const { app, released } = appWith(['a', 'b', 'c'])
  await ask(app)
  expect(released).toHaveBeenCalledOnce()
})
