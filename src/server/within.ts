import { setTimeout } from 'node:timers/promises'

/** What a promise gives, or what `onLate` gives when it takes longer than that many milliseconds. */
export async function within<T>(milliseconds: number, work: Promise<T>, onLate: () => T): Promise<T> {
  const timer = new AbortController()
  try {
    return await Promise.race([work, setTimeout(milliseconds, undefined, { signal: timer.signal }).then(onLate)])
  } finally {
    timer.abort()
  }
}
