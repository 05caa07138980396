import { expect, test } from 'vitest'

import { Turnstile } from '../../../src/store/ingest/turnstile.js'

/** Work that ends when it is told to, and notes when it begins and ends. */
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

test('what is held back begins after what is done while nothing is under way', async () => {
  const turnstile = new Turnstile()
  const log: string[] = []
  const [early, late, held, again] = ['early', 'late', 'held', 'again'].map((name) => work(log, name))
  const all = [turnstile.pass(early!.run), turnstile.hold(held!.run), turnstile.pass(late!.run)]
  all.push(turnstile.hold(again!.run))
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

test('inserts go on after one that takes too long, and after work that fails', async () => {
  const turnstile = new Turnstile(1)
  const log: string[] = []
  const slow = work(log, 'slow')
  const passing = turnstile.pass(slow.run)
  await expect(turnstile.hold(async () => log.push('never'))).rejects.toMatchObject({ code: 'store_busy' })
  expect(await turnstile.pass(async () => 'next')).toBe('next')
  slow.end()
  await passing
  await expect(turnstile.hold(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await turnstile.pass(async () => 'last')).toBe('last')
  expect(log).toEqual(['slow begins', 'slow ends'])
})
