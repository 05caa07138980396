import type { RunningIndexer } from '../../indexer/index.js'
import type { BrokenPart, Store } from '../../store/index.js'

/** The interval of looking for parts that ClickHouse has set aside, milliseconds. */
const INTERVAL_MS = 60_000

/**
 * Looks for parts that ClickHouse could not read and has set aside, now and periodically. Reports each of them once,
 * and writes rows that derive from spans again. Returns a function that stops this.
 */
export function keepWhole(
  store: Pick<Store, 'brokenParts' | 'repair'>,
  indexer: Pick<RunningIndexer, 'reindex' | 'catchUp'> | undefined,
  onDamage: (message: string) => void,
): () => void {
  const reported = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const look = async (): Promise<void> => {
    try {
      const parts = await store.brokenParts()
      for (const { message } of parts) {
        if (!reported.has(message)) onDamage(message)
        reported.add(message)
      }
      if (indexer && parts.length > 0) await repair(parts, indexer)
    } catch {
      // The user may not read system tables, or the store is unavailable, which others report. The next look retries.
    }
    if (!isStopped) timer = setTimeout(() => void look(), INTERVAL_MS).unref()
  }
  const repair = async (parts: readonly BrokenPart[], { reindex, catchUp }: NonNullable<typeof indexer>) => {
    const { traces, done } = await store.repair(parts)
    for await (const traceIds of traces()) reindex(traceIds)
    if (await catchUp()) await done()
  }
  void look()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
