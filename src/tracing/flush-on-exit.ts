import process from 'node:process'
import { warnOnce } from './drops.js'

/** Counters of the export queue. */
export interface Unsent {
  /** The number of spans that wait for export or for the exporter's result. */
  readonly unsent: number
  /** The number of spans that have been delivered. */
  readonly delivered: number
}

export interface ExitFlush {
  readonly flush: () => Promise<void>
  /** Whether there is anything to flush. */
  readonly pending: () => boolean
  readonly interrupt: () => void
  readonly queue: Unsent
  readonly timeoutMillis: number
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Flushes before the process ends: when its work is done, and on SIGTERM and SIGINT within a time limit, after which
 * the process ends as it would have. Open plans are interrupted first, unless the program handles the signal itself and
 * may continue. Warns about spans that are lost because the process ends before they are sent. Returns a function that
 * removes the handlers.
 */
export function flushOnExit({ flush, pending, interrupt, queue, timeoutMillis }: ExitFlush): () => void {
  const beforeExit = (): void => {
    if (pending()) void flush()
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    remove()
    if (process.listenerCount(signal) === 0) interrupt()
    void Promise.race([flush(), elapsed(timeoutMillis)]).then(() => {
      // Without listeners the signal has its default effect. If others listen, the decision is theirs.
      if (process.listenerCount(signal) > 0) return
      warnOfLoss(queue)
      process.kill(process.pid, signal)
    })
  }
  const onExit = (): void => warnOfLoss(queue)
  const remove = (): void => {
    process.off('beforeExit', beforeExit)
    process.off('exit', onExit)
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  process.on('beforeExit', beforeExit)
  process.on('exit', onExit)
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return remove
}

/** Flushes until all spans are sent, or none was delivered within the time limit. Resolves to true if all are sent. */
export async function flushWhileDelivering({
  flush,
  queue,
  timeoutMillis,
}: Pick<ExitFlush, 'flush' | 'queue' | 'timeoutMillis'>): Promise<boolean> {
  const flushed = flush().then(() => true)
  for (let delivered = -1; delivered < queue.delivered;) {
    delivered = queue.delivered
    if (await Promise.race([flushed, elapsed(timeoutMillis)])) return true
  }
  warnOfLoss(queue)
  return false
}

/** Warns about unsent spans when the process is about to end. */
function warnOfLoss({ unsent }: Unsent): void {
  if (unsent === 0) return
  const spans = unsent === 1 ? 'one span' : `${unsent} spans`
  warnOnce(
    'loss',
    () =>
      `planspan: the process ends before ${spans} could be sent. Where the receiver can be reached, ` +
      '`await flush()` before process.exit() sends them.',
  )
}

const elapsed = (millis: number): Promise<false> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(false), millis).unref()
  })
