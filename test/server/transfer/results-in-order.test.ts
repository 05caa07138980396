import { expect, test } from 'vitest'

import { inOrder } from '../../../src/server/transfer/plan-batches.js'

interface Held {
  readonly promise: Promise<number>
  resolve: (value: number) => void
  reject: (error: Error) => void
}

function hold(): Held {
  let settle: Pick<Held, 'resolve' | 'reject'> | undefined
  const promise = new Promise<number>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...settle! }
}

/** Tasks that the test completes, and the number of running tasks. */
function heldTasks(count: number) {
  const held = Array.from({ length: count }, (_, at) => ({ ...hold(), at }))
  const begun: number[] = []
  const tasks = (async function* () {
    for (const { promise, at } of held) {
      yield () => {
        begun.push(at)
        return promise
      }
    }
  })()
  return { held, begun, tasks }
}

test('returns results in the order of their tasks, with at most the given number running', async () => {
  const { held, begun, tasks } = heldTasks(4)
  const results = inOrder(tasks, 2)
  const first = results.next()
  held[1]!.resolve(1)
  held[0]!.resolve(0)
  expect(await first).toEqual({ done: false, value: 0 })
  expect(begun).toEqual([0, 1])
  expect(await results.next()).toEqual({ done: false, value: 1 })
  expect(begun).toEqual([0, 1, 2])
  held[2]!.resolve(2)
  held[3]!.resolve(3)
  const rest: number[] = []
  for await (const result of results) rest.push(result)
  expect(rest).toEqual([2, 3])
})

test('fails with the first failure, in the order of the tasks', async () => {
  const { held, tasks } = heldTasks(3)
  const results = inOrder(tasks, 3)
  held[2]!.reject(new Error('the third'))
  held[1]!.reject(new Error('the second'))
  held[0]!.resolve(0)
  expect(await results.next()).toEqual({ done: false, value: 0 })
  await expect(results.next()).rejects.toThrow('the second')
})

test('starts no more tasks once nobody reads on', async () => {
  const { held, begun, tasks } = heldTasks(5)
  const results = inOrder(tasks, 2)
  for (const { resolve, at } of held) resolve(at)
  await results.next()
  await results.return()
  expect(begun.length).toBeLessThan(4)
  expect(await tasks.next()).toEqual({ done: true, value: undefined })
})
