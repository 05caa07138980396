import { signal } from '@preact/signals'
import { ClientError } from 'planspan/client'

/** That the server does not answer: why, since when, and when it is asked again. Times in milliseconds. */
export interface Outage {
  /** What the server said; undefined where nothing answers. */
  readonly reason: string | undefined
  readonly since: number
  readonly retryAt: number
}

/** Undefined while all is well. */
export const outage = signal<Outage | undefined>(undefined)

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000

let wake = (): void => {}

/** Asks again now. */
export const tryNow = (): void => wake()

/** Whether a failure is the connection's or the server's at the moment, not the request's own. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ClientError && (error.status === undefined || error.status >= 500) && error.code !== 'redirected'

/**
 * Runs a task, and again where the connection is lost or the server does not answer, until it ends by itself or the
 * signal aborts. The task calls `isUp` when the server has answered. Throws what is the request's own fault.
 */
export async function untilDone(task: (isUp: () => void) => Promise<void>, signal: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE_MS
  const isUp = (): void => {
    pause = FIRST_PAUSE_MS
    outage.value = undefined
  }
  while (!signal.aborted) {
    try {
      await task(isUp)
      return
    } catch (error) {
      if (signal.aborted) return
      if (!isPassing(error)) throw error
      const reason = error instanceof ClientError && error.code !== 'unreachable' ? error.message : undefined
      const now = Date.now()
      outage.value = { reason, since: outage.value?.since ?? now, retryAt: now + pause }
      await waiting(pause, signal)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }
}

function waiting(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    wake = end
    signal.addEventListener('abort', end, { once: true })
  })
}
