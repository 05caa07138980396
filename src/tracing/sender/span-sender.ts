import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Span } from '../../mapping/span.js'
import { ATTR, SCOPE_NAME } from '../../semconv/index.js'
import { createRedactor, type RedactOptions } from '../redaction/index.js'
import { requestFrame, spanJson } from './otlp-json.js'
import { readPartialSuccess } from './otlp-response.js'
import { postWithRetry, type PostOptions } from './post-with-retry.js'
import { redactRecordSpan } from './redact-record-span.js'

export interface SpanSenderOptions {
  /** URL for traces, for example http://127.0.0.1:4318/v1/traces. */
  url: string
  headers?: Readonly<Record<string, string>> | undefined
  /** @default the platform's fetch */
  fetch?: typeof globalThis.fetch | undefined
  /** The largest request, bytes before compression; a span that is larger goes alone. @default 4_000_000 */
  maxRequestBytes?: number | undefined
  /** How secrets are masked; false leaves every value as it is. @default false */
  redact?: RedactOptions | false | undefined
  /** @default 'planspan-import' */
  serviceName?: string | undefined
  /** How often a request is sent at most. @default 6 */
  attempts?: number | undefined
  /** How long an answer may take, milliseconds. @default 60_000 */
  timeoutMillis?: number | undefined
}

export interface SendResult {
  /** Spans that the receiver took. */
  readonly accepted: number
  /** Spans that it refused for what is in them. */
  readonly rejected: number
  /** Why, in the receiver's words, each reason once. */
  readonly reasons: string[]
}

/** Sends finished spans to an OTLP/HTTP receiver. */
export interface SpanSender {
  /** Resolves when the receiver has acknowledged all. Throws `receiver_unreachable` or `receiver_refused`. */
  send(spans: Iterable<Span>): Promise<SendResult>
}

const gzipped = promisify(gzip)

export function createSpanSender(options: SpanSenderOptions): SpanSender {
  const { maxRequestBytes = 4_000_000, redact = false, serviceName = 'planspan-import' } = options
  const redactor = redact === false ? undefined : createRedactor(redact)
  const [head, tail] = requestFrame({ key: ATTR.serviceName, name: serviceName }, SCOPE_NAME)
  const post: PostOptions = {
    url: options.url,
    headers: { ...options.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    fetch: options.fetch ?? globalThis.fetch,
    attempts: options.attempts ?? 6,
    timeoutMillis: options.timeoutMillis ?? 60_000,
  }

  const sendPart = async (spans: readonly string[]): Promise<SendResult> => {
    const body = await gzipped(head + spans.join(',') + tail, { level: constants.Z_BEST_SPEED })
    const { rejected, reason } = readPartialSuccess(await postWithRetry(new Uint8Array(body), post))
    return { accepted: spans.length - rejected, rejected, reasons: reason === '' ? [] : [reason] }
  }

  return {
    send: async (spans) => {
      let accepted = 0
      let rejected = 0
      const reasons = new Set<string>()
      for (const part of parts(spans, Buffer.byteLength(head + tail))) {
        const result = await sendPart(part)
        accepted += result.accepted
        rejected += result.rejected
        for (const reason of result.reasons) reasons.add(reason)
      }
      return { accepted, rejected, reasons: [...reasons] }
    },
  }

  /** The spans' JSON in parts that fit one request each. */
  function* parts(spans: Iterable<Span>, frameBytes: number): Generator<string[]> {
    let part: string[] = []
    let bytes = frameBytes
    for (const span of spans) {
      const json = spanJson(redactor ? redactRecordSpan(redactor, span) : span)
      const added = Buffer.byteLength(json) + 1
      if (part.length > 0 && bytes + added > maxRequestBytes) {
        yield part
        part = []
        bytes = frameBytes
      }
      part.push(json)
      bytes += added
    }
    if (part.length > 0) yield part
  }
}
