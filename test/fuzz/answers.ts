import type { ServeLine } from '../cli/run-cli.js'
import { jaegerClient, type JaegerClient } from '../server/jaeger/jaeger-client.js'
import { otlpClient, type OtlpClient } from '../server/otlp-client.js'
import { fieldsOf, messages } from '../server/jaeger/jaeger-client.js'
import type { HttpInput, Input } from './inputs.js'

/** A response, over any protocol. */
export interface Answer {
  /** The HTTP status or gRPC code. */
  readonly code: number
  readonly text: string
  readonly retryAfter: boolean
  /** The number of sent spans; undefined if no spans were acknowledged. */
  readonly rejectedSpans: number | undefined
}

const TIMEOUT_MS = 60_000

/** Clients for all ports of one server. */
export class Clients {
  readonly #url: string
  readonly #otlp: Readonly<Record<'none' | 'gzip', OtlpClient>>
  readonly #jaeger: JaegerClient

  constructor({ url, grpcUrl, jaegerEndpoint }: ServeLine) {
    const port = Number(new URL(grpcUrl ?? '').port)
    this.#url = url
    this.#otlp = { none: otlpClient(port), gzip: otlpClient(port, 'gzip') }
    this.#jaeger = jaegerClient(jaegerEndpoint ?? '')
  }

  async send(input: Input): Promise<Answer> {
    if (input.road === 'http') return this.http(input)
    if (input.road === 'grpc') {
      const { code, details, response, retryAfter } = await this.#otlp[input.isGzip ? 'gzip' : 'none'].export(
        input.body,
      )
      const rejectedSpans = code === 0 ? rejectedOf(response ?? Buffer.alloc(0)) : undefined
      return { code, text: details, retryAfter: retryAfter !== undefined, rejectedSpans }
    }
    const { code, details } = await this.#jaeger.stream(input.method, input.body)
    return { code, text: details, retryAfter: false, rejectedSpans: undefined }
  }

  async http({ method, path, headers, body, route }: Omit<HttpInput, 'road' | 'traceIds'>): Promise<Answer> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const init = { method, headers, signal, ...(body && { body: new Uint8Array(body) }) }
    const response = await fetch(`${this.#url}${path}`, init)
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      code: response.status,
      text: bytes.toString(),
      retryAfter: response.headers.has('retry-after'),
      rejectedSpans:
        route !== 'otlp' || response.status !== 200 ? undefined : isJson ? rejectedInJson(bytes) : rejectedOf(bytes),
    }
  }

  close(): void {
    this.#otlp.none.close()
    this.#otlp.gzip.close()
    this.#jaeger.close()
  }
}

/** `rejected_spans` of the partial success in an ExportTraceServiceResponse. */
function rejectedOf(response: Uint8Array): number {
  const [partial] = messages(fieldsOf(response), 1)
  return Number(partial?.get(1)?.[0] ?? 0)
}

function rejectedInJson(body: Buffer): number {
  const { partialSuccess } = JSON.parse(body.toString()) as { partialSuccess?: { rejectedSpans?: string | number } }
  return Number(partialSuccess?.rejectedSpans ?? 0)
}
