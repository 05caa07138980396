import { expect, test } from 'vitest'

import { InsertLock } from '../../../src/store/ingest/insert-lock.js'

/** Work that the test completes, and that records when it starts and ends. */
function work(log: string[], name: string) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  return {
    end: () => end(),
    run: async () => {
      log.push(`${name} begins`)
      await ended
      log.push(`${name} ends`)
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('deferred work starts after the running inserts, while nothing is in progress', async () => {
  const lock = new InsertLock()
  const log: string[] = []
  const [early, late, held, again] = ['early', 'late', 'held', 'again'].map((name) => work(log, name))
  const all = [lock.shared(early!.run), lock.exclusive(held!.run), lock.shared(late!.run)]
  all.push(lock.exclusive(again!.run))
  await settled()
  expect(log).toEqual(['early begins'])
  early!.end()
  await settled()
  expect(log.splice(0)).toEqual(['early begins', 'early ends', 'held begins'])
  for (const one of [held, late, again]) one!.end()
  await Promise.all(all)
  expect(log[0]).toBe('held ends')
  expect(log).toHaveLength(5)
})

test('inserts continue after an insert that takes too long, and after work that fails', async () => {
  const lock = new InsertLock(1)
  const log: string[] = []
  const slow = work(log, 'slow')
  const passing = lock.shared(slow.run)
  await expect(lock.exclusive(async () => log.push('never'))).rejects.toMatchObject({ code: 'store_busy' })
  expect(await lock.shared(async () => 'next')).toBe('next')
  slow.end()
  await passing
  await expect(lock.exclusive(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await lock.shared(async () => 'last')).toBe('last')
  expect(log).toEqual(['slow begins', 'slow ends'])
})
