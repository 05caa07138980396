import process from 'node:process'

export interface ExitFlush {
  readonly flush: () => Promise<void>
  /** Whether there is something to flush. */
  readonly pending: () => boolean
  readonly interrupt: () => void
  readonly boundMillis: number
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Flushes before the process ends: when its work is done, and on SIGTERM and SIGINT within a bound, after which the
 * process ends as it would have. What is open by then is interrupted first, unless the program handles the signal
 * itself and may go on. Answers a function that takes all of it back.
 */
export function flushOnExit({ flush, pending, interrupt, boundMillis }: ExitFlush): () => void {
  const beforeExit = (): void => {
    if (pending()) void flush()
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    remove()
    if (process.listenerCount(signal) === 0) interrupt()
    void Promise.race([flush(), elapsed(boundMillis)]).then(() => {
      // With the last listener gone the signal does what it does by default. Others decide for themselves.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
    })
  }
  const remove = (): void => {
    process.off('beforeExit', beforeExit)
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  process.on('beforeExit', beforeExit)
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return remove
}

const elapsed = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis).unref()
  })
