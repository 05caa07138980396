import { setTimeout } from 'node:timers/promises'

/** Returns the result of a promise, or of `onTimeout` if the promise takes longer than the milliseconds. */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>, onTimeout: () => T): Promise<T> {
  const timeout = new AbortController()
  try {
    return await Promise.race([work, setTimeout(milliseconds, undefined, { signal: timeout.signal }).then(onTimeout)])
  } finally {
    timeout.abort()
  }
}
