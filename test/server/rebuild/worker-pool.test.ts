import type { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'

import { PlanspanError } from '../../../src/error.js'
import type { Errand } from '../../../src/server/rebuild/converse.js'
import { WORK, type RebuiltRecord } from '../../../src/server/rebuild/work.js'
import { WorkerPool, type WorkerPoolOptions } from '../../../src/server/rebuild/worker-pool.js'
import { collectSpans } from '../../../src/store/records/read-spans.js'
import { rowOfPlan } from './rows.js'

const trace = { traceId: 'a'.repeat(32), live: true, dialect: '', source: '', recordKey: '' }
const task = { trace, joined: false, options: {} }

const pools: WorkerPool[] = []
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close()
})

function poolOf(options: WorkerPoolOptions): WorkerPool {
  const pool = new WorkerPool(options)
  pools.push(pool)
  return pool
}

/** A block in its own memory, as it is transferred. */
const blockOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Rebuilding a record from blocks of rows. */
function errandOf(blocks: Iterable<string>, options: Partial<Errand> = {}): Errand {
  const rest = blocks[Symbol.iterator]()
  return {
    work: { work: 'record', task },
    answer: async () => {
      const { value, done } = rest.next()
      return done ? undefined : blockOf(value)
    },
    signal: new AbortController().signal,
    tooLarge: 'Too large.',
    ...options,
  }
}

const titleOf = ({ body }: RebuiltRecord): unknown => JSON.parse(Buffer.from(body).toString())['title']
const rebuild = (pool: WorkerPool, errand: Errand) => pool.run<RebuiltRecord>(errand)

describe('a worker', () => {
  test('that ends because it was idle gets no other task', async () => {
    const pool = poolOf({ size: 1, idleMs: 1 })
    for (let round = 0; round < 20; round++) {
      // The timer of the idle worker is due before this one.
      await new Promise((resolve) => setTimeout(resolve, 1))
      const errand = errandOf([rowOfPlan({ traceId: trace.traceId, title: String(round) })])
      expect(titleOf(await rebuild(pool, errand))).toBe(String(round))
    }
  })

  test('returns the same record as this thread, wherever its blocks of rows end', async () => {
    const row = rowOfPlan({ traceId: trace.traceId, title: 'Zürich 漢字 😀' })
    const bytes = Buffer.from(row)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7))
    const given = pieces[Symbol.iterator]()
    const answer = async () => {
      const { value } = given.next()
      return value && new Uint8Array(value)
    }
    const found = await rebuild(poolOf({}), errandOf([], { answer }))
    const expected = await WORK.record(task, {
      readTrace: () =>
        collectSpans(
          (async function* () {
            yield bytes
          })(),
        ),
      readTraces: async () => new Map(),
      readOnlyTrace: async () => [],
      findAgentTraces: async () => [],
    })
    expect(titleOf(found)).toBe('Zürich 漢字 😀')
    expect(found).toEqual(expected)
  })

  test('passes on the code and message of a store error, and handles the next task', async () => {
    const pool = poolOf({ size: 1 })
    const lost = new PlanspanError('store_unreachable', 'ClickHouse does not answer.')
    const failing = errandOf([], { answer: () => Promise.reject(lost) })
    await expect(rebuild(pool, failing)).rejects.toMatchObject({ code: lost.code, message: lost.message })
    expect(titleOf(await rebuild(pool, errandOf([rowOfPlan({ traceId: trace.traceId, title: 'next' })])))).toBe('next')
  })

  test('reports malformed rows', async () => {
    const errand = errandOf(['Code: 241. DB::Exception: Memory limit exceeded'])
    await expect(rebuild(poolOf({}), errand)).rejects.toMatchObject({
      code: 'clickhouse_failed',
      message: expect.stringContaining('Memory limit exceeded'),
    })
  })

  test('that runs out of memory fails only its own record', async () => {
    const pool = poolOf({ size: 2, maxHeapMb: 48 })
    function* endless() {
      for (let span = 0; ; span++)
        yield rowOfPlan({ traceId: trace.traceId, title: 'x'.repeat(100_000), spanId: `${span}` })
    }
    const small = () => rebuild(pool, errandOf([rowOfPlan({ traceId: trace.traceId, title: 'small' })]))
    const [large, ...others] = await Promise.allSettled([rebuild(pool, errandOf(endless())), small(), small()])
    expect(large).toMatchObject({ reason: { code: 'record_too_large', message: 'Too large.' } })
    expect(others).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
    expect(titleOf(await small())).toBe('small')
  })
})

/** A task that runs until the test releases it. */
function heldErrand(options: Partial<Errand> = {}) {
  let letGo = (): void => {}
  let isBegun = (): void => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const begun = new Promise<void>((resolve) => (isBegun = resolve))
  const answer = async () => {
    isBegun()
    await held
    return undefined
  }
  return { errand: errandOf([], { answer, ...options }), begun, letGo }
}

describe('tasks', () => {
  test('beyond the queue limit are rejected at once', async () => {
    const pool = poolOf({ size: 1, maxWaiting: 1 })
    const first = heldErrand()
    const running = rebuild(pool, first.errand)
    const waiting = rebuild(pool, errandOf([]))
    await expect(rebuild(pool, errandOf([]))).rejects.toMatchObject({ code: 'store_busy' })
    first.letGo()
    expect(await Promise.all([running, waiting])).toEqual([undefined, undefined])
    expect(await rebuild(pool, errandOf([]))).toBeUndefined()
  })

  test('of a disconnected client make room for the next', async () => {
    const pool = poolOf({ size: 1 })
    const [gone, goneWaiting] = [new AbortController(), new AbortController()]
    const first = heldErrand({ signal: gone.signal })
    const running = rebuild(pool, first.errand)
    const asked: string[] = []
    const waiting = rebuild(
      pool,
      errandOf([], { signal: goneWaiting.signal, answer: async () => void asked.push('it') }),
    )
    const next = rebuild(pool, errandOf([rowOfPlan({ traceId: trace.traceId, title: 'next' })]))
    await first.begun
    goneWaiting.abort()
    gone.abort()
    await expect(running).rejects.toMatchObject({ code: 'usage', message: 'The client has gone.' })
    await expect(waiting).rejects.toMatchObject({ code: 'usage' })
    expect(titleOf(await next)).toBe('next')
    expect(asked).toEqual([])
  })

  test('use a worker that was started ahead, and only one is started ahead', async () => {
    const started: Worker[] = []
    const onWorker = (worker: Worker): unknown => started.push(worker)
    process.on('worker', onWorker)
    try {
      const pool = poolOf({ size: 2 })
      for (let time = 0; time < 3; time++) pool.warm()
      await rebuild(pool, errandOf([]))
      expect(started).toHaveLength(1)
      const { errand, begun, letGo } = heldErrand()
      const running = rebuild(pool, errand)
      await begun
      pool.warm()
      await rebuild(pool, errandOf([]))
      letGo()
      await running
      expect(started).toHaveLength(2)
    } finally {
      process.off('worker', onWorker)
    }
  })

  test('in progress are completed when the pool is closed', async () => {
    const pool = poolOf({ size: 1 })
    const { errand, begun, letGo } = heldErrand()
    const running = rebuild(pool, errand)
    await begun
    pool.close()
    letGo()
    expect(await running).toBeUndefined()
  })
})
