import { setTimeout } from 'node:timers/promises'

/** The result of a promise, or of `onTimeout` where it takes longer than that many milliseconds. */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>, onTimeout: () => T): Promise<T> {
  const timeout = new AbortController()
  try {
    return await Promise.race([work, setTimeout(milliseconds, undefined, { signal: timeout.signal }).then(onTimeout)])
  } finally {
    timeout.abort()
  }
}
