import { REFUSED_FOR } from '../../otlp/index.js'
import type { IngestMeter, Load } from '../../store/metrics/index.js'
import type { Family, Labels } from './exposition.js'
import type { RequestMeter } from './request-meter.js'

/** The metrics of senders' requests and their responses. */
export function requestFamilies(meter: RequestMeter): Family[] {
  const refused = new Map<string, number>([...REFUSED_FOR.map((why) => [why, 0] as const), ...meter.refusedSpans])
  return [
    {
      name: 'planspan_otlp_requests',
      type: 'counter',
      help: 'Requests with spans that were answered, by protocol and its status code.',
      samples: [...meter.answers].flatMap(([protocol, codes]) =>
        [...codes].map(([code, requests]) => [{ protocol, code: String(code) }, requests] as const),
      ),
    },
    {
      name: 'planspan_spans_received',
      type: 'counter',
      help: 'Spans that came, each time they did.',
      samples: [[{}, meter.receivedSpans]],
    },
    {
      name: 'planspan_spans_refused',
      type: 'counter',
      help: 'Spans of these that were not taken, by what for; those of an error of the store may come again.',
      samples: [...refused].map(([reason, spans]) => [{ reason }, spans]),
    },
  ]
}

/** The metrics of stored and queued spans. */
export function ingestFamilies(meter: IngestMeter): Family[] {
  const { loads } = meter
  const queues: [Labels, Load][] = Object.entries(loads?.queues ?? {}).map(([encoding, load]) => [{ encoding }, load()])
  const journal: [Labels, Load][] = loads?.journal ? [[{}, loads.journal()]] : []
  return [
    {
      name: 'planspan_spans_stored',
      type: 'counter',
      help: 'Spans that came to the tables, each time they did.',
      samples: [[{}, meter.storedSpans]],
    },
    {
      name: 'planspan_log_records_stored',
      type: 'counter',
      help: 'Log records that came to the tables, each time they did.',
      samples: [[{}, meter.storedLogs]],
    },
    ...loadFamilies('planspan_queue', 'Spans that wait for the tables or are on their way there', queues),
    ...loadFamilies('planspan_journal', 'Acknowledged spans of the journal that are not in the tables yet', journal),
    {
      name: 'planspan_insert_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'How long inserts into the tables took, repeated and failed ones included.',
      samples: [[{}, meter.inserts.value]],
    },
    {
      name: 'planspan_inserts_failed',
      type: 'counter',
      help: 'Inserts of these after which nothing was stored.',
      samples: [[{}, meter.failedInserts]],
    },
    {
      name: 'planspan_span_lag_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'From a span’s end, by its sender’s clock, to its being in the tables; of spans that came over OTLP.',
      samples: [[{}, meter.lags.value]],
    },
  ]
}

function loadFamilies(name: string, help: string, loads: readonly (readonly [Labels, Load])[]): Family[] {
  const now = performance.now()
  return [
    {
      name: `${name}_spans`,
      type: 'gauge',
      help: `${help}.`,
      samples: loads.map(([labels, { spans }]) => [labels, spans]),
    },
    {
      name: `${name}_bytes`,
      type: 'gauge',
      unit: 'bytes',
      help: `${help}: the size of their requests.`,
      samples: loads.map(([labels, { bytes }]) => [labels, bytes]),
    },
    {
      name: `${name}_oldest_seconds`,
      type: 'gauge',
      unit: 'seconds',
      help: `${help}: since when the first of them waits.`,
      samples: loads.map(([labels, { since }]) => [labels, since === undefined ? 0 : (now - since) / 1000]),
    },
  ]
}
