import { describe, expect, it } from 'vitest'

import { GroupCommit, type GroupCommitOptions } from '../../../src/store/ingest/group-commit.js'

/** Commits that end when the test says so; an item is its number of spans. */
function manual(options: Partial<GroupCommitOptions<number, string>> = {}) {
  const batches: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = []
  const arrivals: (() => void)[] = []
  const group = new GroupCommit<number, string>({
    commit: (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, end: () => resolve(items.map((item) => `stored ${item}`)), fail: reject })
        arrivals.shift()?.()
      }),
    size: (spans) => ({ spans, bytes: spans * 10 }),
    maxBatchSpans: 10,
    maxBatchBytes: 1000,
    maxQueuedSpans: 20,
    maxQueuedBytes: 10_000,
    gather: { quietMs: 1, limitMs: 5 },
    ...options,
  })
  const next = () => new Promise<void>((resolve) => arrivals.push(resolve))
  return { group, batches, next }
}

describe('a group commit', () => {
  it('commits the first item at once and what arrives meanwhile together', async () => {
    const { group, batches, next } = manual()
    const results = [group.add(1), group.add(2), group.add(3)]
    expect(batches.map(({ items }) => items)).toEqual([[1]])
    const second = next()
    batches[0]?.end()
    await second
    expect(batches[1]?.items).toEqual([2, 3])
    batches[1]?.end()
    expect(await Promise.all(results)).toEqual(['stored 1', 'stored 2', 'stored 3'])
  })

  it('ends a batch before it has too many spans', async () => {
    const { group, batches, next } = manual()
    const results = [1, 4, 6, 5].map((item) => group.add(item))
    for (const items of [[1], [4, 6], [5]]) {
      expect(batches.at(-1)?.items).toEqual(items)
      const following = next()
      batches.at(-1)?.end()
      if (items[0] !== 5) await following
    }
    await Promise.all(results)
  })

  it('gives an item that is larger than a batch one of its own', async () => {
    const { group, batches } = manual({ maxQueuedSpans: 5 })
    const result = group.add(50)
    expect(batches[0]?.items).toEqual([50])
    batches[0]?.end()
    expect(await result).toBe('stored 50')
  })

  it.each([
    ['spans', { maxQueuedSpans: 5 }],
    ['bytes', { maxQueuedBytes: 50 }],
  ])('refuses what has no room by its %s, and takes it when there is', async (_, options) => {
    const { group, batches, next } = manual(options)
    const first = group.add(3)
    const second = group.add(2)
    expect(() => group.add(1)).toThrow(expect.objectContaining({ code: 'store_busy' }))
    const committed = next()
    batches[0]?.end()
    await Promise.all([first, committed])
    const third = group.add(3)
    batches[1]?.end()
    expect(await second).toBe('stored 2')
    const last = batches.length > 2 ? Promise.resolve() : next()
    await last
    batches[2]?.end()
    expect(await third).toBe('stored 3')
  })

  it('fails the items of a failed batch alone', async () => {
    const { group, batches, next } = manual()
    const first = group.add(1)
    const second = group.add(2)
    const following = next()
    batches[0]?.fail(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    await following
    batches[1]?.end()
    expect(await second).toBe('stored 2')
  })

  it('commits on closing what it took, and takes no more', async () => {
    const { group, batches, next } = manual()
    const results = [group.add(1), group.add(2)]
    const closed = group.close()
    expect(() => group.add(3)).toThrow(expect.objectContaining({ code: 'store_busy' }))
    const following = next()
    batches[0]?.end()
    await following
    batches[1]?.end()
    await closed
    expect(await Promise.all(results)).toEqual(['stored 1', 'stored 2'])
  })

  const HOUR_MS = 3_600_000

  it('lets patient items wait until one comes that is not', async () => {
    const { group, batches, next } = manual()
    const patient = [group.add(1, HOUR_MS), group.add(2, HOUR_MS)]
    expect(batches).toEqual([])
    const first = next()
    const hurried = group.add(3)
    await first
    expect(batches[0]?.items).toEqual([1, 2, 3])
    batches[0]?.end()
    expect(await Promise.all([...patient, hurried])).toEqual(['stored 1', 'stored 2', 'stored 3'])
  })

  it('lets patient items wait no longer when a batch is full', async () => {
    const { group, batches, next } = manual()
    const first = next()
    const patient = [group.add(1, HOUR_MS), group.add(9, HOUR_MS)]
    await first
    expect(batches[0]?.items).toEqual([1, 9])
    batches[0]?.end()
    await Promise.all(patient)
  })

  it('lets patient items wait no longer when it is closed', async () => {
    const { group, batches, next } = manual()
    const first = next()
    const patient = group.add(1, HOUR_MS)
    const closed = group.close()
    await first
    batches[0]?.end()
    await closed
    expect(await patient).toBe('stored 1')
  })

  it('commits a patient item when its time is over, and others that came meanwhile with it', async () => {
    const { group, batches, next } = manual()
    const first = next()
    const items = [group.add(1, 5), group.add(2, HOUR_MS)]
    await first
    expect(batches[0]?.items).toEqual([1, 2])
    batches[0]?.end()
    await Promise.all(items)
  })
})
