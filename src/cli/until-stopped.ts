import { PlanspanError } from '../error.js'
import { stopSignal } from './stop-signal.js'

/** What work gives; rejects when the process is asked to end before, so that the caller can clean up. */
export const untilStopped = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    stopSignal().then((signal): never => {
      throw new PlanspanError('usage', `Stopped by ${signal}.`)
    }),
  ])
