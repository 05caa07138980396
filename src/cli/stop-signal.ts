import process from 'node:process'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves at the first SIGINT, SIGTERM or SIGHUP; the second one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      for (const name of SIGNALS) process.off(name, onSignal)
      resolve(signal)
    }
    for (const name of SIGNALS) process.on(name, onSignal)
  })
}

/** Thrown when a signal ends the work: the process ends by the same signal once everything is cleaned up. */
export class StoppedBySignal extends Error {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`)
    this.signal = signal
  }
}

/**
 * Starts to listen for signals. The returned function awaits work and throws `StoppedBySignal` at a signal, so that the
 * caller can clean up.
 */
export function untilStopped(): <T>(work: Promise<T>) => Promise<T> {
  const stopped = stopSignal().then((signal): never => {
    throw new StoppedBySignal(signal)
  })
  return (work) => Promise.race([work, stopped])
}

/** Runs work that ends by itself when its signal is aborted, as it is at a signal. Throws `StoppedBySignal` then. */
export async function abortedByStop<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const stopped = untilStopped()
  const working = work(stop.signal)
  try {
    return await stopped(working)
  } catch (error) {
    stop.abort()
    // It cleans up first.
    await working.catch(() => {})
    throw error
  }
}
