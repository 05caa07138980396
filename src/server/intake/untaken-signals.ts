import process from 'node:process'

/** The OTLP signals that planspan does not store. */
export const UNTAKEN_SIGNALS = ['logs', 'metrics'] as const
export type UntakenSignal = (typeof UNTAKEN_SIGNALS)[number]

/** Rejects signals other than traces, with one process warning per signal. */
export class UntakenSignals {
  readonly #warned = new Set<UntakenSignal>()

  /** Returns the message of the response, with advice. */
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
