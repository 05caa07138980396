import { expect, test } from 'vitest'

import { Limiter } from '../../../src/server/async.js'

test('runs at most the given number of tasks at once, the others in order of arrival', async () => {
  const limiter = new Limiter(2)
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const all = [0, 1, 2, 3, 4].map((number) =>
    limiter.run(() => {
      begun.push(number)
      return new Promise<number>((resolve) => ends.set(number, () => resolve(number)))
    }),
  )
  expect(begun).toEqual([0, 1])
  for (const [number, expected] of [
    [1, [0, 1, 2]],
    [0, [0, 1, 2, 3]],
    [2, [0, 1, 2, 3, 4]],
  ] as const) {
    ends.get(number)?.()
    await all[number]
    expect(begun).toEqual(expected)
  }
  for (const end of ends.values()) end()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4])
})

test('a failing task makes room for the next', async () => {
  const limiter = new Limiter(1)
  const failed = limiter.run(() => Promise.reject(new Error('no')))
  const next = limiter.run(() => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
