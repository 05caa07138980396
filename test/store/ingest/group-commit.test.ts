import { afterEach, describe, expect, it, vi } from 'vitest'

import { GroupCommit, type GroupCommitOptions } from '../../../src/store/ingest/group-commit.js'

/** Commits that end when the test completes them; an item is its number of spans. */
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
    maxWaitMs: 5000,
    quietMs: 1,
    ...options,
  })
  const next = () => new Promise<void>((resolve) => arrivals.push(resolve))
  return { group, batches, next }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a group commit', () => {
  it('commits the first item at once, and the items that arrive meanwhile together', async () => {
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

  it('gives an item larger than a batch its own batch', async () => {
    const { group, batches } = manual({ maxQueuedSpans: 5 })
    const result = group.add(50)
    expect(batches[0]?.items).toEqual([50])
    batches[0]?.end()
    expect(await result).toBe('stored 50')
  })

  it.each([
    ['spans', { maxQueuedSpans: 5 }],
    ['bytes', { maxQueuedBytes: 50 }],
  ])('rejects an item that does not fit by its %s, and accepts it when there is room', async (_, options) => {
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

  it('rejects an item whose wait would be too long, for as long as it would be', async () => {
    vi.useFakeTimers()
    const { group, batches } = manual({ maxQueuedSpans: 1000 })
    const first = group.add(10)
    await vi.advanceTimersByTimeAsync(1000)
    batches[0]?.end()
    await first
    // A full batch takes a second: after five of them another would be too late.
    for (let batch = 0; batch < 5; batch++) void group.add(10)
    expect(() => group.add(1)).toThrow(expect.objectContaining({ code: 'store_busy' }))
    expect(() => group.check({ spans: 1, bytes: 0 })).toThrow(expect.objectContaining({ code: 'store_busy' }))
    await vi.advanceTimersByTimeAsync(900)
    void group.add(1)
  })

  it('rejects items while a batch takes far longer than any before, but accepts a single item', async () => {
    vi.useFakeTimers()
    const { group, batches } = manual()
    const first = group.add(1)
    await vi.advanceTimersByTimeAsync(100)
    batches[0]?.end()
    await first
    const slow = group.add(1)
    await vi.advanceTimersByTimeAsync(6000)
    expect(() => group.add(1)).toThrow(expect.objectContaining({ code: 'store_busy' }))
    batches[1]?.end()
    await slow
    void group.add(1)
    expect(batches).toHaveLength(3)
  })

  it('drops the item of a disconnected client, unless its commit has started', async () => {
    const { group, batches, next } = manual()
    const leaving = new AbortController()
    const first = group.add(1, { gone: leaving.signal })
    const second = group.add(15, { gone: leaving.signal })
    const third = group.add(2)
    leaving.abort()
    await expect(second).rejects.toMatchObject({ code: 'store_busy' })
    expect(group.queued).toEqual({ spans: 3, bytes: 30 })
    expect(() => group.add(1, { gone: leaving.signal })).toThrow(expect.objectContaining({ code: 'store_busy' }))
    const following = next()
    batches[0]?.end()
    await following
    expect(batches[1]?.items).toEqual([2])
    batches[1]?.end()
    expect(await Promise.all([first, third])).toEqual(['stored 1', 'stored 2'])
  })

  it('does not wait once every sender that could have waited has disconnected', async () => {
    const { group, batches, next } = manual()
    const leaving = new AbortController()
    const patient = group.add(1, { patienceMs: 60_000, gone: leaving.signal })
    leaving.abort()
    await expect(patient).rejects.toMatchObject({ code: 'store_busy' })
    const begun = next()
    const other = group.add(2)
    await begun
    batches[0]?.end()
    expect(await other).toBe('stored 2')
    await group.close()
  })

  it('fails only the items of a failed batch', async () => {
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

  it('commits accepted items on close, and accepts no more', async () => {
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

  it('commits a lone item at once, without reading the clock', async () => {
    vi.useFakeTimers()
    const { group, batches, next } = manual()
    for (const item of [1, 2, 3, 4]) {
      const begun = next()
      const result = group.add(item)
      await begun
      expect(batches.at(-1)?.items).toEqual([item])
      batches.at(-1)?.end()
      expect(await result).toBe(`stored ${item}`)
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  describe('items that may wait', () => {
    function patient() {
      vi.useFakeTimers()
      return manual()
    }

    it('are committed together as soon as the first has waited long enough', async () => {
      const { group, batches } = patient()
      void group.add(1, { patienceMs: 100 })
      await vi.advanceTimersByTimeAsync(30)
      void group.add(2, { patienceMs: 60 })
      void group.add(3, { patienceMs: 200 })
      await vi.advanceTimersByTimeAsync(59)
      expect(batches).toHaveLength(0)
      await vi.advanceTimersByTimeAsync(1)
      expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3]])
    })

    it.each([
      ['one comes that may not', (group: GroupCommit<number, string>) => void group.add(2)],
      ['a batch is full', (group: GroupCommit<number, string>) => void group.add(9, { patienceMs: 100 })],
      ['it is flushed', (group: GroupCommit<number, string>) => void group.flush()],
      ['it is closed', (group: GroupCommit<number, string>) => void group.close()],
    ])('are committed at once when %s', async (_, happens) => {
      const { group, batches } = patient()
      void group.add(1, { patienceMs: 100 })
      await vi.advanceTimersByTimeAsync(10)
      expect(batches).toHaveLength(0)
      happens(group)
      await vi.advanceTimersByTimeAsync(0)
      expect(batches[0]?.items[0]).toBe(1)
      expect(vi.getTimerCount()).toBe(0)
    })

    it('are committed when nothing more arrives and an item waited long enough during the previous batch', async () => {
      const { group, batches } = patient()
      void group.add(1)
      void group.add(2, { patienceMs: 100 })
      await vi.advanceTimersByTimeAsync(100)
      batches[0]?.end()
      await vi.advanceTimersByTimeAsync(9)
      expect(batches).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(batches[1]?.items).toEqual([2])
    })
  })

  describe('after a batch with several requests in flight', () => {
    /** A group that has acknowledged eight items together after 50 ms, by a clock that the test moves. */
    async function answered() {
      vi.useFakeTimers()
      const made = manual({ quietMs: 20 })
      const { group, batches } = made
      const results = Array.from({ length: 9 }, () => group.add(1))
      batches[0]?.end()
      await vi.advanceTimersByTimeAsync(0)
      await vi.advanceTimersByTimeAsync(50)
      batches[1]?.end()
      await Promise.all(results)
      expect(batches.map(({ items }) => items.length)).toEqual([1, 8])
      return made
    }

    it('commits as soon as that many requests are back', async () => {
      const { group, batches, next } = await answered()
      const third = next()
      for (let back = 1; back <= 8; back++) {
        expect(batches).toHaveLength(2)
        void group.add(1)
      }
      await third
      expect(batches[2]?.items).toHaveLength(8)
      expect(vi.getTimerCount()).toBe(0)
    })

    it('commits as soon as a batch is full', async () => {
      const { group, batches, next } = await answered()
      const third = next()
      void group.add(10)
      await third
      expect(batches[2]?.items).toEqual([10])
    })

    it('commits when no request arrives for a while', async () => {
      const { group, batches } = await answered()
      void group.add(1)
      await vi.advanceTimersByTimeAsync(19)
      expect(batches).toHaveLength(2)
      await vi.advanceTimersByTimeAsync(1)
      expect(batches[2]?.items).toEqual([1])
    })

    it('waits at most as long as that batch took, however requests arrive', async () => {
      const { group, batches } = await answered()
      for (let ms = 0; ms < 50; ms += 10) {
        void group.add(1)
        expect(batches).toHaveLength(2)
        await vi.advanceTimersByTimeAsync(10)
      }
      expect(batches[2]?.items).toHaveLength(5)
    })

    it('commits at once again after that', async () => {
      const { group, batches } = await answered()
      await vi.advanceTimersByTimeAsync(20)
      expect(vi.getTimerCount()).toBe(0)
      void group.add(4)
      expect(batches[2]?.items).toEqual([4])
    })

    it('commits at once on close', async () => {
      const { group, batches, next } = await answered()
      const third = next()
      const last = group.add(4)
      const closed = group.close()
      await third
      batches[2]?.end()
      await closed
      expect(await last).toBe('stored 4')
    })
  })
})
