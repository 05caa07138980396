import { callTokensOf, endOf, type FoldedSpan, type TraceFacts } from '../mapping/index.js'
import { ATTR } from '../semconv/index.js'
import type { KnownTrace } from './known-trace.js'

/** A model call that has ended. */
export interface EndedCall {
  /** Undefined for an imported call without times. */
  readonly durationNanos?: bigint | undefined
  readonly provider: string
  readonly model: string
  readonly responseModel: string
  /** The class of the error; `_OTHER` for one without a class, '' for a call that did not fail. */
  readonly errorType: string
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

/** Model calls that have ended, with the same names. */
export interface EndedCalls extends Pick<EndedCall, 'provider' | 'model' | 'responseModel' | 'errorType'> {
  /** Nanoseconds. */
  readonly durations: readonly number[]
  readonly inputTokens: readonly number[]
  readonly outputTokens: readonly number[]
}

/** Groups calls by their names, so that few objects are sent to another thread. */
export function groupCalls(calls: readonly EndedCall[]): EndedCalls[] {
  const groups = new Map<string, EndedCalls & Record<'durations' | 'inputTokens' | 'outputTokens', number[]>>()
  for (const { durationNanos, inputTokens, outputTokens, ...names } of calls) {
    const key = JSON.stringify(Object.values(names))
    const group = groups.get(key) ?? { ...names, durations: [], inputTokens: [], outputTokens: [] }
    groups.set(key, group)
    if (durationNanos !== undefined) group.durations.push(Number(durationNanos))
    if (inputTokens !== undefined) group.inputTokens.push(inputTokens)
    if (outputTokens !== undefined) group.outputTokens.push(outputTokens)
  }
  return [...groups.values()]
}

/** Returns the model calls of a trace that have ended since it was indexed last. */
export function endedCallsOf({ ended }: KnownTrace, { spans }: TraceFacts): EndedCall[] {
  const calls: EndedCall[] = []
  if (ended.size === 0) return calls
  for (const { node } of spans) {
    const { span, role } = node
    if (role !== 'llm' || span.pending || !ended.has(span.spanId)) continue
    const { inputTokens, outputTokens } = callTokensOf(node)
    calls.push({
      durationNanos: durationOf(span),
      provider: span.attributes[ATTR.providerName] ?? '',
      model: span.attributes[ATTR.requestModel] ?? '',
      responseModel: span.attributes[ATTR.responseModel] ?? '',
      errorType: span.attributes[ATTR.errorType] || (span.statusCode === 'ERROR' ? '_OTHER' : ''),
      inputTokens,
      outputTokens,
    })
  }
  return calls
}

function durationOf(span: FoldedSpan): bigint | undefined {
  const duration = endOf(span) - span.startTimeUnixNano
  return duration === 0n && span.attributes[ATTR.timeSynthetic] === 'true' ? undefined : duration
}
