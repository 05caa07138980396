import { expect, test } from 'vitest'

import type { Errand } from '../../../src/server/rebuild/converse.js'
import { Rebuilder } from '../../../src/server/rebuild/rebuilder.js'
import type { SpanReader } from '../../../src/store/index.js'
import { rowOfPlan } from './rows.js'

const traceId = 'a'.repeat(32)
const trace = { traceId, live: true, dialect: '', source: '', recordKey: '' }

/** A rebuilder of a large trace whose number of rows can change, with a pool whose tasks a test ends. */
function rebuilderOf(bodyOf: (number: number) => string = () => 'the tree') {
  const started: { readonly errand: Errand; readonly end: () => void }[] = []
  const stored = { rows: 10 }
  const row = new TextEncoder().encode(rowOfPlan({ traceId, title: 'x'.repeat(300_000) }))
  const stream = async function* () {
    yield row
  }
  const reader = {
    streamRows: stream,
    streamOnlyTrace: stream,
    traceProgress: async () => new Map([[traceId, { rows: stored.rows, end: 1n }]]),
  } as Partial<SpanReader> as SpanReader
  const run = <Result>(errand: Errand): Promise<Result> =>
    new Promise((resolve) => {
      const body = new TextEncoder().encode(bodyOf(started.length))
      started.push({ errand, end: () => resolve({ body, checksum: Buffer.from(body).toString() } as Result) })
    })
  const rebuilder = new Rebuilder(reader, { run })
  const ask = (signal = new AbortController().signal, now = 1n) =>
    rebuilder.run('structure', { trace, now, prices: new Map() }, () => signal)
  return { ask, started, stored }
}

test('all who ask for the same large record while it is rebuilt get the same bytes', async () => {
  const { ask, started } = rebuilderOf()
  const answers = Array.from({ length: 10 }, (_, index) => ask(undefined, BigInt(index)))
  await expect.poll(() => started.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 50))
  started[0]!.end()
  const bodies = (await Promise.all(answers)).map(({ body }) => body)
  expect(new Set(bodies).size).toBe(1)
  expect(started).toHaveLength(1)
})

test('who asks after more spans have arrived gets a record with them', async () => {
  const { ask, started, stored } = rebuilderOf((number) => `tree ${String(number)}`)
  const before = ask()
  await expect.poll(() => started.length).toBe(1)
  stored.rows++
  const after = ask()
  await expect.poll(() => started.length).toBe(2)
  for (const { end } of started) end()
  const texts = (await Promise.all([before, after])).map(({ body }) => Buffer.from(body).toString())
  expect(texts).toEqual(['tree 0', 'tree 1'])
})

test('equal answers have the same bytes, so that slow clients hold them once', async () => {
  const { ask, started } = rebuilderOf()
  const bodies: unknown[] = []
  for (let round = 0; round < 3; round++) {
    const answer = ask()
    await expect.poll(() => started.length).toBe(round + 1)
    started[round]!.end()
    bodies.push((await answer).body)
  }
  expect(new Set(bodies).size).toBe(1)
})

test('the rebuilding ends when the last who waits for it has gone', async () => {
  const { ask, started } = rebuilderOf()
  const [first, last] = [new AbortController(), new AbortController()]
  const answers = [ask(first.signal), ask(last.signal)].map((answer) => answer.catch((error: Error) => error.message))
  await expect.poll(() => started.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 50))
  first.abort()
  expect(await answers[0]).toBe('The client has gone.')
  expect(started[0]!.errand.signal.aborted).toBe(false)
  last.abort()
  expect(await answers[1]).toBe('The client has gone.')
  expect(started[0]!.errand.signal.aborted).toBe(true)
})

test('the memory of a rebuilding is estimated from its spans before it starts', async () => {
  const { ask, started, stored } = rebuilderOf()
  stored.rows = 300_000
  const answer = ask()
  await expect.poll(() => started[0]?.errand.bytes).toBeGreaterThan(1 << 30)
  started[0]!.end()
  await answer
})
