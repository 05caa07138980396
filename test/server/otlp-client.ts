import { Client, compressionAlgorithms, credentials, type ServiceError } from '@grpc/grpc-js'
import { once } from 'node:events'
import { connect, type ClientHttp2Stream } from 'node:http2'

import { fieldsOf, messages, text } from './jaeger/jaeger-client.js'

export const TRACES = 'opentelemetry.proto.collector.trace.v1.TraceService'
export const LOGS = 'opentelemetry.proto.collector.logs.v1.LogsService'
export const METRICS = 'opentelemetry.proto.collector.metrics.v1.MetricsService'

/** The outcome of an export. */
export interface Outcome {
  readonly code: number
  readonly details: string
  readonly response: Buffer | undefined
  /** The seconds of its RetryInfo. */
  readonly retryAfter: number | undefined
}

export interface OtlpClient {
  export(request: Uint8Array, service?: string): Promise<Outcome>
  close(): void
}

const asIs = (bytes: Buffer): Buffer => bytes
const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes)

/** An OTLP/gRPC client that can send any bytes. */
export function otlpClient(port: number, compression: 'none' | 'gzip' = 'none'): OtlpClient {
  const algorithm = compressionAlgorithms[compression === 'gzip' ? 'gzip' : 'identity']
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': algorithm,
  })
  return {
    export: (request, service = TRACES) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(`/${service}/Export`, toBuffer, asIs, request, (error, response) =>
          resolve({
            code: error?.code ?? 0,
            details: error?.details ?? '',
            response,
            retryAfter: error ? retryAfterOf(error) : undefined,
          }),
        )
      }),
    close: () => client.close(),
  }
}

/** The RetryInfo in google.rpc.Status, which repeats code and message. */
function retryAfterOf({ code, details, metadata }: ServiceError): number | undefined {
  const [bytes] = metadata.get('grpc-status-details-bin')
  if (bytes === undefined) return undefined
  const status = fieldsOf(bytes as Buffer)
  const [detail] = messages(status, 3)
  if (!detail || status.get(1)?.[0] !== BigInt(code) || text(status, 2) !== details) throw new Error('Another status.')
  if (text(detail, 1) !== 'type.googleapis.com/google.rpc.RetryInfo') throw new Error(`It is a ${text(detail, 1)}.`)
  return Number(messages(messages(detail, 2)[0]!, 1)[0]!.get(1)?.[0])
}

/** Opens a call on its own connection and sends any bytes as its body, or as the beginning of its body. */
export function openCall(
  port: number,
  sent: Uint8Array,
  { encoding = 'identity', isWhole = true }: { encoding?: string | undefined; isWhole?: boolean } = {},
): ClientHttp2Stream {
  const session = connect(`http://127.0.0.1:${port}`)
  const call = session.request({
    ':method': 'POST',
    ':path': `/${TRACES}/Export`,
    'content-type': 'application/grpc',
    'grpc-encoding': encoding,
    te: 'trailers',
  })
  call.once('close', () => session.destroy())
  if (isWhole) call.end(sent)
  else call.write(sent)
  return call
}

/** Sends a malformed call body; returns the gRPC status. */
export async function sendBytes(port: number, sent: Uint8Array, encoding?: string): Promise<[number, string]> {
  const call = openCall(port, sent, { encoding })
  const [headers] = (await once(call, 'response')) as [Record<string, string>]
  call.destroy()
  return [Number(headers['grpc-status']), decodeURI(headers['grpc-message'] ?? '')]
}

/** A message in a gRPC frame. */
export function frame(message: Uint8Array, { isCompressed = false, length = message.length } = {}): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(isCompressed ? 1 : 0)
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, message])
}
