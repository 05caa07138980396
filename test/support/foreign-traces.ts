import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { StoredSpan } from '../../src/semconv/index.js'

const FOLDER = new URL('../fixtures/foreign/', import.meta.url)

/** The expected record of a trace; null where the trace does not report a value. */
export interface Labels {
  readonly file: string
  /** Recorded plans of other instrumentations. */
  readonly plans: number
  readonly agents: readonly string[]
  readonly thinkActCycles?: number | null
  readonly toolCalls?: readonly string[]
  readonly toolCallsUnordered?: boolean
  readonly llmCalls: number
  readonly tokens?: { readonly input: number; readonly output: number } | null
  readonly errors: number
  readonly waits?: number
  readonly guardrails?: readonly string[]
  /** No call recorded its contents. */
  readonly withoutContents?: boolean
  readonly agentState?: 'RUNNING' | 'COMPLETED'
}

export const FOREIGN_TRACES = (
  JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as { samples: readonly Labels[] }
).samples

interface OtlpValue {
  readonly arrayValue?: { readonly values?: readonly OtlpValue[] }
  readonly [kind: string]: unknown
}
type OtlpAttributes = readonly { readonly key: string; readonly value: OtlpValue }[]
interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status?: { readonly code?: number; readonly message?: string }
  readonly attributes?: OtlpAttributes
  readonly events?: readonly {
    readonly timeUnixNano: string
    readonly name: string
    readonly attributes?: OtlpAttributes
  }[]
}
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource?: { readonly attributes?: OtlpAttributes }
    readonly scopeSpans: readonly { readonly scope?: { readonly name?: string }; readonly spans: readonly OtlpSpan[] }[]
  }[]
}

/** A recorded request, under its own trace id: two recordings show one trace at two moments. */
export function otlpText(file: string): string {
  const text = readFileSync(new URL(file, FOLDER), 'utf8')
  const traceId = /"traceId":\s*"([\da-f]{32})"/.exec(text)?.[1] ?? ''
  return text.replaceAll(traceId, createHash('sha256').update(file).digest('hex').slice(0, 32))
}

/** A recorded request under another trace id as one request per span, in the order in which the spans ended. */
export function otlpSpanBySpan(file: string, traceId: string): string[] {
  const request = JSON.parse(otlpText(file)) as OtlpRequest
  const spans = request.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans: all }) => all.map((span) => ({ resource, scope, span: { ...span, traceId } }))),
  )
  return spans
    .toSorted((a, b) => Number(BigInt(a.span.endTimeUnixNano) - BigInt(b.span.endTimeUnixNano)))
    .map(({ resource, scope, span }) =>
      JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] }),
    )
}

/** The rows of a recorded trace in the store. */
export function foreignRows(file: string): StoredSpan[] {
  const request = JSON.parse(otlpText(file)) as OtlpRequest
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span): StoredSpan => {
        const resourceAttributes = texts(resource?.attributes)
        return {
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? '',
          name: span.name,
          kind: 'Internal',
          startTimeUnixNano: BigInt(span.startTimeUnixNano),
          endTimeUnixNano: BigInt(span.endTimeUnixNano),
          statusCode: (['UNSET', 'OK', 'ERROR'] as const)[span.status?.code ?? 0] ?? 'UNSET',
          statusMessage: span.status?.message ?? '',
          attributes: texts(span.attributes),
          events: (span.events ?? []).map(({ timeUnixNano, name, attributes }) => ({
            timeUnixNano: BigInt(timeUnixNano),
            name,
            attributes: texts(attributes),
          })),
          links: [],
          serviceName: resourceAttributes['service.name'] ?? '',
          scopeName: scope?.name ?? '',
          resourceAttributes,
        }
      }),
    ),
  )
}

const texts = (attributes: OtlpAttributes = []): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, textOf(value)]))

function textOf(value: OtlpValue): string {
  if (value.arrayValue) return JSON.stringify((value.arrayValue.values ?? []).map(textOf))
  return String(Object.values(value)[0] ?? '')
}
