import { LOGS, METRICS, TRACES, type RequestSchema } from './request-schema.js'

/** The signals of OTLP that the receiver answers. */
export const SIGNALS = ['traces', 'logs', 'metrics'] as const
export type Signal = (typeof SIGNALS)[number]

/** The signals that are stored. */
export type StoredSignal = Exclude<Signal, 'metrics'>

/** What differs between the signals when a request is checked. */
export interface SignalRules {
  readonly schema: RequestSchema
  /** An item of a request, and several. */
  readonly item: string
  readonly items: string
  /** Whether an item needs the ids of a trace and a span. */
  readonly needsIds: boolean
  /** The phrases before an item's time. */
  readonly at: { readonly present: string; readonly past: string; readonly base: string }
  /** The reason why every item is refused; undefined for a stored signal. */
  readonly refusal?: string
}

export const SIGNAL_RULES: Readonly<Record<Signal, SignalRules>> = {
  traces: {
    schema: TRACES,
    item: 'span',
    items: 'spans',
    needsIds: true,
    at: { present: 'it starts', past: 'it started', base: 'start' },
  },
  logs: {
    schema: LOGS,
    item: 'log record',
    items: 'log records',
    needsIds: false,
    at: { present: 'its time is', past: 'its time is', base: 'be' },
  },
  metrics: {
    schema: METRICS,
    item: 'data point',
    items: 'data points',
    needsIds: false,
    at: { present: 'its time is', past: 'its time is', base: 'be' },
    refusal:
      'planspan stores no metrics. Where they come from, set OTEL_METRICS_EXPORTER=none, or ' +
      'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT to a receiver of metrics',
  },
}
