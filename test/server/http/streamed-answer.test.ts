import { Hono } from 'hono'
import { expect, it, vi } from 'vitest'

import { streamedAnswer } from '../../../src/server/http/streamed-answer.js'

/** An app that answers with some pieces, and what is told when they are let go of. */
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

it('answers with all pieces', async () => {
  const { app, released } = appWith(['a', 'b', 'c'])
  const response = await app.request('/')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain'])
  expect(await response.text()).toBe('abc')
  expect(released).toHaveBeenCalledOnce()
})

it('answers with none', async () => {
  expect(await (await appWith([]).app.request('/')).text()).toBe('')
})

it('tells by its status what fails before the first piece, and breaks off after it', async () => {
  expect((await appWith([], new Error('gone')).app.request('/')).status).toBe(503)
  const begun = await appWith(['a'], new Error('gone')).app.request('/')
  expect(begun.status).toBe(200)
  await expect(begun.text()).rejects.toThrow('gone')
})

it('takes no more than one piece ahead', async () => {
  const { app, taken } = appWith(['a', 'b', 'c'])
  const response = await app.request('/')
  await response.body?.getReader().read()
  expect(taken).toEqual(['a'])
})

it.each([
  ['a client that has gone', async (app: Hono) => (await app.request('/')).body?.cancel()],
  ['HEAD', async (app: Hono) => void (await app.request('/', { method: 'HEAD' }))],
])('lets go of what nobody takes: %s', async (_, ask) => {
  const { app, released } = appWith(['a', 'b', 'c'])
  await ask(app)
  expect(released).toHaveBeenCalledOnce()
})
