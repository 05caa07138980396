import process from 'node:process'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves when the process is asked to end; asked once more, it ends at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      for (const name of SIGNALS) process.off(name, onSignal)
      resolve(signal)
    }
    for (const name of SIGNALS) process.on(name, onSignal)
  })
}

/** The process was asked to end before its work was done: it ends by the same signal once all is cleaned up. */
export class StoppedBySignal extends Error {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`)
    this.signal = signal
  }
}

/**
 * Waits from now on for work or the process being asked to end: what work gives, else it throws `StoppedBySignal`, so that
 * the caller can clean up.
 */
export function untilStopped(): <T>(work: Promise<T>) => Promise<T> {
  const stopped = stopSignal().then((signal): never => {
    throw new StoppedBySignal(signal)
  })
  return (work) => Promise.race([work, stopped])
}
