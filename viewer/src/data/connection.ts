import { signal } from '@preact/signals'
import { ClientError } from 'planspan/client'

/** An outage of the server: its reason, its start, and the next attempt. Times in milliseconds. */
export interface Outage {
  /** The server's message; undefined if nothing responds. */
  readonly reason: string | undefined
  readonly since: number
  readonly retryAt: number
}

/** The current outage; undefined while the server responds. */
export const outage = signal<Outage | undefined>(undefined)

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000

let wake = (): void => {}

/** Retries now. */
export const tryNow = (): void => wake()

/** Whether a failure is temporary, of the connection or the server, and not of the request. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ClientError && (error.status === undefined || error.status >= 500) && error.code !== 'redirected'

/**
 * Runs a task, and retries it if the connection is lost or the server does not respond, until it is done or the signal
 * aborts. The task calls `isUp` when the server has responded. Throws failures of the request itself.
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
