import { expect, test } from 'vitest'

import { Turns } from '../../src/server/turns.js'

test('so many run at once, the others in the order in which they came', async () => {
  const turns = new Turns(2)
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const all = [0, 1, 2, 3, 4].map((number) =>
    turns.run(() => {
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

test('work that fails gives its turn back', async () => {
  const turns = new Turns(1)
  const failed = turns.run(() => Promise.reject(new Error('no')))
  const next = turns.run(() => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
