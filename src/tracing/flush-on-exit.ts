import process from 'node:process'

export interface ExitFlush {
  readonly flush: () => Promise<void>
  /** Whether there is anything to flush. */
  readonly pending: () => boolean
  readonly interrupt: () => void
  readonly timeoutMillis: number
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Flushes before the process ends: when its work is done, and on SIGTERM and SIGINT within a time limit, after which
 * the process ends as it would have. Open plans are interrupted first, unless the program handles the signal itself and
 * may continue. Returns a function that removes the handlers.
 */
export function flushOnExit({ flush, pending, interrupt, timeoutMillis }: ExitFlush): () => void {
  const beforeExit = (): void => {
    if (pending()) void flush()
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    remove()
    if (process.listenerCount(signal) === 0) interrupt()
    void Promise.race([flush(), elapsed(timeoutMillis)]).then(() => {
      // Without listeners the signal has its default effect. If others listen, the decision is theirs.
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
