import process from 'node:process'

/** What OTLP carries beside traces, and planspan has no place for. */
export const UNTAKEN_SIGNALS = ['logs', 'metrics'] as const
export type UntakenSignal = (typeof UNTAKEN_SIGNALS)[number]

/** Refuses what OTLP carries beside traces; says so once for each signal as a warning of the process. */
export class UntakenSignals {
  readonly #warned = new Set<UntakenSignal>()

  /** The answer to a request: what to do about it. */
  refuse(signal: UntakenSignal): string {
    const name = signal.toUpperCase()
    const message =
      `planspan stores traces, no ${signal}: this request is dropped. Where it comes from, set ` +
      `OTEL_${name}_EXPORTER=none, or OTEL_EXPORTER_OTLP_${name}_ENDPOINT to a receiver of ${signal}.`
    if (!this.#warned.has(signal)) {
      this.#warned.add(signal)
      process.emitWarning(`${message} Further ones are dropped without a word here.`, 'PlanspanWarning')
    }
    return message
  }
}
