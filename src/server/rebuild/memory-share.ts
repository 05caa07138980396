import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

/** The memory that this process may use, bytes: that of the machine, or less in a container. */
function usableMemory(): number {
  // The memory of the cgroup, version 1 or 2; 0 or a huge number without a limit.
  const inGroup = process.constrainedMemory()
  return inGroup > 0 ? Math.min(inGroup, totalmem()) : totalmem()
}

/** The share of workers in the memory. An embedded ClickHouse may use half, and this process needs the rest. */
const SHARE = 3 / 8

export interface MemoryShare {
  /** The memory that all tasks of a pool may take together, bytes. */
  readonly budget: number
  /** The maximum heap of one worker, MB. */
  readonly heapMb: number
}

/** Divides the memory. `--max-old-space-size` limits the heap of a worker, too. */
export function memoryShare(usable = usableMemory(), heapLimit = getHeapStatistics().heap_size_limit): MemoryShare {
  const budget = Math.floor(usable * SHARE)
  return { budget, heapMb: Math.max(64, Math.floor(Math.min(budget, heapLimit) / (1 << 20))) }
}
