import { describe, expect, test } from 'vitest'

import { Admission } from '../../../src/server/rebuild/admission.js'
import { memoryShare } from '../../../src/server/rebuild/memory-share.js'

const GB = 1 << 30

function admissionOf(options = {}) {
  const admission = new Admission({ size: 4, budget: 100, maxWaiting: 64, patienceMs: 10_000, ...options })
  const running: { readonly name: string; readonly end: () => void }[] = []
  const ask = (name: string, bytes: number): Promise<string> =>
    admission
      .run(bytes, async () => {
        await new Promise<void>((resolve) => running.push({ name, end: resolve }))
        return 'done'
      })
      .catch((error: { code: string }) => error.code)
  const names = () => running.map(({ name }) => name)
  return { admission, ask, running, names }
}

describe('tasks with an estimated need of memory', () => {
  test('run together as long as the budget permits, and in order', async () => {
    const { ask, running, names } = admissionOf()
    const all = [ask('a', 60), ask('b', 40), ask('c', 60), ask('d', 10)]
    await expect.poll(names).toEqual(['a', 'b'])
    running[1]!.end()
    await expect.poll(names).toEqual(['a', 'b'])
    running[0]!.end()
    await expect.poll(names).toEqual(['a', 'b', 'c', 'd'])
    for (const { end } of running) end()
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done', 'done'])
  })

  test('run alone if they need more than the budget', async () => {
    const { ask, running, names } = admissionOf()
    const all = [ask('small', 1), ask('huge', 1_000), ask('later', 1)]
    await expect.poll(names).toEqual(['small'])
    running[0]!.end()
    await expect.poll(names).toEqual(['small', 'huge'])
    running[1]!.end()
    await expect.poll(names).toEqual(['small', 'huge', 'later'])
    running[2]!.end()
    await Promise.all(all)
  })

  test('are refused when their turn does not come in time, or when too many wait', async () => {
    const { ask, running, admission } = admissionOf({ patienceMs: 20, maxWaiting: 1 })
    const first = ask('first', 100)
    const second = ask('second', 100)
    expect(await ask('third', 100)).toBe('store_busy')
    expect(await second).toBe('store_busy')
    expect(admission.underWay).toBe(1)
    running[0]!.end()
    expect(await first).toBe('done')
    expect(admission.underWay).toBe(0)
  })
})

test('the memory of workers follows from that of the process', () => {
  expect(memoryShare(4 * GB, 8 * GB)).toEqual({ budget: 1.5 * GB, heapMb: 1536 })
  expect(memoryShare(24 * GB, 0.5 * GB)).toEqual({ budget: 9 * GB, heapMb: 512 })
})
