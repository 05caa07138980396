import { errorsOf, errorTextOf, isoOf, type TreeSpan } from '../../mapping/index.js'
import { ATTR, UNTYPED_ERROR } from '../../semconv/index.js'
import type { SpanJson } from '../../wire/index.js'

/** Converts a span to its JSON, which leaves out events and links. */
export function toSpanJson(span: TreeSpan): SpanJson {
  const { spanId, parentSpanId, name, kind, serviceName, pending, statusCode, statusMessage, attributes } = span
  return {
    spanId,
    parentSpanId,
    name,
    kind,
    serviceName,
    startTime: isoOf(span.startTimeUnixNano),
    endTime: isoOf(span.endTimeUnixNano),
    durationMs: Number(span.endTimeUnixNano - span.startTimeUnixNano) / 1e6,
    pending,
    state: span.state ?? null,
    statusCode,
    statusMessage,
    error: errorJson(span),
    attributes,
  }
}

function errorJson(span: TreeSpan): SpanJson['error'] {
  const [error] = errorsOf({ span })
  const type = error?.type === UNTYPED_ERROR ? undefined : error?.type
  return error ? { type: type ?? null, text: errorTextOf({ span }) } : null
}

/** Returns the forms of a text in values: plain, in JSON, and in JSON with only ASCII. */
export function writingsOf(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1)
  const ascii = escaped.replaceAll(
    /[^\0-\x7f]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [...new Set([text, escaped, ascii])]
}

/** Attributes that are not searched: fixed values of the convention, and ids of the plan. */
const UNSOUGHT: ReadonlySet<string> = new Set([
  ATTR.spanKind,
  ATTR.operationName,
  ATTR.openinferenceSpanKind,
  ATTR.planId,
  ATTR.planRootId,
  ATTR.conversationId,
  ATTR.state,
  ATTR.status,
])

/** The roles whose spans state their own agent or workflow. Spans below an agent carry its name as well. */
const OF_AGENTS: ReadonlySet<string | undefined> = new Set(['plan', 'agent', 'planning', undefined])

/** Returns the spans that contain a text in a name, a message or a value, ignoring case. */
export function searchSpans(spans: readonly TreeSpan[], text: string): string[] {
  const sought = writingsOf(text).map((writing) => writing.toLowerCase())
  return spans
    .filter((span) =>
      textsOf(span).some((value) => {
        const lowerCase = value.toLowerCase()
        return sought.some((one) => lowerCase.includes(one))
      }),
    )
    .map(({ spanId }) => spanId)
}

function textsOf({ name, statusMessage, attributes }: TreeSpan): string[] {
  const isAgent = OF_AGENTS.has(attributes[ATTR.spanKind])
  const values = Object.entries(attributes)
    .filter(([key]) => !UNSOUGHT.has(key) && (isAgent || key !== ATTR.agentName))
    .map(([, value]) => value)
  return [withoutOperation(name), statusMessage, ...values]
}

/** Removes the operation from a span's name, which all spans of a role share. */
const withoutOperation = (name: string): string => name.slice(name.indexOf(' ') + 1)
