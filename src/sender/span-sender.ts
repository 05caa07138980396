import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { otlpRequests, type OtlpRequest } from '../otlp/index.js'
import type { Span } from '../semconv/index.js'
import { createRedactor, type RedactOptions, type Redactor, redactRecordSpan } from '../redaction/index.js'
import { readPartialSuccess, postWithRetry, type PostOptions } from './post-with-retry.js'

export interface SpanSenderOptions {
  /** URL for traces, for example http://127.0.0.1:4318/v1/traces. */
  url: string
  headers?: Readonly<Record<string, string>> | undefined
  /** @default the platform's fetch */
  fetch?: typeof globalThis.fetch | undefined
  /** The largest request, bytes before compression; a larger span is sent alone. @default 4_000_000 */
  maxRequestBytes?: number | undefined
  /** The masking of secrets; false leaves every value as it is. @default false */
  redact?: RedactOptions | false | undefined
  /** @default 'planspan-import' */
  serviceName?: string | undefined
  /** The largest number of attempts to send a request. @default 6 */
  attempts?: number | undefined
  /** The time limit for a response, milliseconds. @default 60_000 */
  timeoutMillis?: number | undefined
}

export interface SendResult {
  /** The number of spans that the receiver accepted. */
  readonly accepted: number
  /** The number of spans that it refused because of their content. */
  readonly rejected: number
  /** The receiver's reasons for refusing spans, each once. */
  readonly reasons: string[]
}

/** Sends finished spans to an OTLP/HTTP receiver. */
export interface SpanSender {
  /** Resolves when all spans are acknowledged. Throws `receiver_unreachable`, `store_busy` or `receiver_refused`. */
  send(spans: Iterable<Span>): Promise<SendResult>
}

const gzipped = promisify(gzip)

export function createSpanSender(options: SpanSenderOptions): SpanSender {
  const { maxRequestBytes, redact = false, serviceName = 'planspan-import' } = options
  const redactor = redact === false ? undefined : createRedactor(redact)
  const post: PostOptions = {
    url: options.url,
    headers: { ...options.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    fetch: options.fetch ?? globalThis.fetch,
    attempts: options.attempts ?? 6,
    timeoutMillis: options.timeoutMillis ?? 60_000,
  }

  const sendRequest = async ({ text, spans }: OtlpRequest): Promise<SendResult> => {
    const body = await gzipped(text, { level: constants.Z_BEST_SPEED })
    const { rejected, reason } = readPartialSuccess(await postWithRetry(new Uint8Array(body), post))
    return { accepted: spans - rejected, rejected, reasons: reason === '' ? [] : [reason] }
  }

  return {
    send: async (spans) => {
      let accepted = 0
      let rejected = 0
      const reasons = new Set<string>()
      const sent = redactor ? masked(redactor, spans) : spans
      for (const request of otlpRequests(sent, { serviceName, maxBytes: maxRequestBytes })) {
        const result = await sendRequest(request)
        accepted += result.accepted
        rejected += result.rejected
        for (const reason of result.reasons) reasons.add(reason)
      }
      return { accepted, rejected, reasons: [...reasons] }
    },
  }
}

function* masked(redactor: Redactor, spans: Iterable<Span>): Generator<Span> {
  for (const span of spans) yield redactRecordSpan(redactor, span)
}
