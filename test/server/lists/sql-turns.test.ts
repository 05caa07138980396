import { Hono } from 'hono'
import { expect, test } from 'vitest'

import type { Principal } from '../../../src/access/index.js'
import { setPrincipal } from '../../../src/server/guard/request-credentials.js'
import { sqlRoute } from '../../../src/server/lists/index.js'

/** A route whose queries run until they are ended, with the names of tokens that run one. */
function slowRoute() {
  const running: { readonly sql: string; readonly end: () => void }[] = []
  const select = ({ sql }: { readonly sql: string }) =>
    new Promise<{ columns: []; rows: []; cut: undefined }>((resolve) => {
      running.push({ sql, end: () => resolve({ columns: [], rows: [], cut: undefined }) })
    })
  const app = new Hono()
    .use(async (c, next) => {
      const name = c.req.header('authorization')
      if (name !== undefined) setPrincipal(c, { name, scopes: ['read'] } satisfies Principal)
      await next()
    })
    .route('/', sqlRoute({ sql: { select } }))
  app.onError((_, c) => c.text('', 503))
  const ask = (sql: string, headers: Record<string, string>) =>
    app.request('/api/sql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ sql }),
    })
  return { running, ask, sqlOf: () => running.map(({ sql }) => sql) }
}

test('one query of a token runs, another waits, and those of other tokens have their turn', async () => {
  const { running, ask, sqlOf } = slowRoute()
  const greedy = { authorization: 'greedy' }
  const first = ask('first', greedy)
  const second = ask('second', greedy)
  await expect.poll(sqlOf).toEqual(['first'])
  expect((await ask('third', greedy)).status).toBe(503)
  const other = ask('other', { authorization: 'other' })
  await expect.poll(sqlOf).toEqual(['first', 'other'])
  running[0]?.end()
  await expect.poll(sqlOf).toEqual(['first', 'other', 'second'])
  for (const { end } of running) end()
  expect((await Promise.all([first, second, other])).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('without tokens, two queries run at once', async () => {
  const { running, ask, sqlOf } = slowRoute()
  const answers = [ask('a', {}), ask('b', {})]
  await expect.poll(sqlOf).toEqual(['a', 'b'])
  expect((await ask('c', {})).status).toBe(503)
  for (const { end } of running) end()
  await Promise.all(answers)
})
