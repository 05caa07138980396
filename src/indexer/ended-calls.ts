import { callTokensOf, endOf, type TraceFacts } from '../mapping/index.js'
import { ATTR } from '../semconv/index.js'

/** A model call that has ended. */
export interface EndedCall {
  readonly endTimeUnixNano: bigint
  readonly durationNanos: bigint
  readonly provider: string
  readonly model: string
  readonly responseModel: string
  /** The class of the error; `_OTHER` for one without a class, '' for a call that did not fail. */
  readonly errorType: string
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

/** The model calls among some spans, given as `traceId/spanId`. */
export function endedCallsOf(traces: ReadonlyMap<string, TraceFacts>, spans: ReadonlySet<string>): EndedCall[] {
  const calls: EndedCall[] = []
  for (const [traceId, { spans: placed }] of traces) {
    for (const { node } of placed) {
      const { span, role } = node
      if (role !== 'llm' || span.pending || !spans.has(`${traceId}/${span.spanId}`)) continue
      const { inputTokens, outputTokens } = callTokensOf(node)
      calls.push({
        endTimeUnixNano: endOf(span),
        durationNanos: endOf(span) - span.startTimeUnixNano,
        provider: span.attributes[ATTR.providerName] ?? '',
        model: span.attributes[ATTR.requestModel] ?? '',
        responseModel: span.attributes[ATTR.responseModel] ?? '',
        errorType: span.attributes[ATTR.errorType] || (span.statusCode === 'ERROR' ? '_OTHER' : ''),
        inputTokens,
        outputTokens,
      })
    }
  }
  return calls
}
