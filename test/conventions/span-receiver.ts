import { fromBinary, toJson } from '@bufbuild/protobuf'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { EncodedTracesDataSchema, SpanSchema } from '../../src/otlp/trace_pb.js'
import { type OtlpRequest, type OtlpSpan, spansOf } from './live-check.js'

/** A server that keeps the spans that it receives over OTLP/HTTP. */
export interface SpanReceiver {
  readonly url: string
  /** Returns the spans since the last call. */
  take(): OtlpSpan[]
  readonly spans: readonly OtlpSpan[]
  close(): void
}

export async function startSpanReceiver(): Promise<SpanReceiver> {
  const spans: OtlpSpan[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((sent) => {
      const { 'content-type': type = '', 'content-encoding': encoding } = request.headers
      const body = encoding === 'gzip' ? gunzipSync(sent) : sent
      spans.push(...(type.includes('json') ? spansOf(JSON.parse(body.toString()) as OtlpRequest) : decoded(body)))
      response.setHeader('content-type', type).end(type.includes('json') ? '{}' : '')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, take: () => spans.splice(0), close: () => void server.close() }
}

/** Decodes a request of OTLP/protobuf. */
const decoded = (body: Uint8Array): OtlpSpan[] =>
  fromBinary(EncodedTracesDataSchema, body).resourceSpans.flatMap(({ scopeSpans }) =>
    (scopeSpans?.spans ?? []).map((bytes) => {
      const span = fromBinary(SpanSchema, bytes)
      return { ...(toJson(SpanSchema, span) as unknown as OtlpSpan), kind: span.kind }
    }),
  )
