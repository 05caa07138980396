import process from 'node:process'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second signal ends the process immediately. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      for (const name of SIGNALS) process.off(name, onSignal)
      resolve(signal)
    }
    for (const name of SIGNALS) process.on(name, onSignal)
  })
}

/** Thrown if a signal ends the work; after the cleanup, the process ends by the same signal. */
export class StoppedBySignal extends Error {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`)
    this.signal = signal
  }
}

/**
 * Listens for signals. The returned function awaits work and throws `StoppedBySignal` at a signal, to allow cleanup.
 */
export function untilStopped(): <T>(work: Promise<T>) => Promise<T> {
  const stopped = stopSignal().then((signal): never => {
    throw new StoppedBySignal(signal)
  })
  return (work) => Promise.race([work, stopped])
}

/**
 * Runs work that stops when its abort signal fires, which happens at a process signal. Throws `StoppedBySignal` then.
 */
export async function abortedByStop<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const stopped = untilStopped()
  const working = work(stop.signal)
  try {
    return await stopped(working)
  } catch (error) {
    stop.abort()
    // Wait for the cleanup.
    await working.catch(() => {})
    throw error
  }
}
