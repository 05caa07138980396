import { Client, credentials, type ChannelCredentials, Metadata } from '@grpc/grpc-js'
import { gzipSync } from 'node:zlib'

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
const GZIP = 2

export interface HttpSendOptions {
  readonly type: 'application/x-protobuf' | 'application/json'
  readonly gzip?: boolean
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** @default 'traces' */
  readonly of?: 'traces' | 'logs'
}

/** Sends an OTLP request over HTTP; throws unless it is acknowledged. */
export async function sendHttp(url: string, body: Uint8Array, options: HttpSendOptions): Promise<void> {
  const { type, gzip = false, headers = {}, signal, of = 'traces' } = options
  const response = await fetch(`${url}/v1/${of}`, {
    method: 'POST',
    headers: { 'content-type': type, ...(gzip ? { 'content-encoding': 'gzip' } : {}), ...headers },
    body: new Uint8Array(gzip ? gzipSync(body) : body),
    ...(signal ? { signal } : {}),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
}

export interface GrpcSender {
  /** Sends an OTLP request; rejects unless it is acknowledged. */
  send(body: Uint8Array): Promise<void>
  close(): void
}

/** A gRPC channel to host:port, optionally with gzip. */
export function grpcSender(
  address: string,
  options: { gzip?: boolean; channel?: ChannelCredentials; metadata?: Readonly<Record<string, string>> } = {},
): GrpcSender {
  const { gzip = false, channel = credentials.createInsecure() } = options
  const client = new Client(address, channel, gzip ? { 'grpc.default_compression_algorithm': GZIP } : {})
  const metadata = new Metadata()
  for (const [key, value] of Object.entries(options.metadata ?? {})) metadata.set(key, value)
  return {
    send: (body) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          EXPORT,
          (request: Uint8Array) => Buffer.from(request),
          (response: Buffer) => response,
          body,
          metadata,
          (error) => (error ? reject(error) : resolve()),
        )
      }),
    close: () => client.close(),
  }
}
