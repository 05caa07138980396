import { PlanspanError } from '../error.js'
import { checkJson } from './check-json.js'
import { checkProtobuf } from './check-protobuf.js'
import { NotLight } from './limits.js'
import { partialSuccess, type RefusedFor } from './item-verdict.js'
import { maskRequest } from './mask/mask-request.js'
import type { CheckOptions, CheckResult, Encoding, StoreRequest, MalformedRequest } from './request.js'
import type { PartialSuccess } from './response.js'
import { rewriteJson } from './rewrite-json.js'
import { rewriteProtobuf } from './rewrite-protobuf.js'

/** A client's request, ready for the store: its original body or a rewritten body. */
export interface ReceivedRequest extends StoreRequest {
  /** The bytes of the first resource as received: the sender's description of itself. */
  readonly resource: Uint8Array | undefined
  readonly refused: PartialSuccess | undefined
  /** The number of rejected spans by reason. */
  readonly refusedFor: ReadonlyMap<RefusedFor, number>
  /** When the accepted spans ended, Unix milliseconds. */
  readonly ends: readonly number[]
}

export type ReceiveResult = { readonly ok: true; readonly request: ReceivedRequest } | MalformedRequest

/**
 * Checks an uncompressed OTLP body, masks its secrets if the options say so, and prepares it for ClickHouse. Returns
 * `ok: false` for a body that is not a request of its signal.
 */
export function receive(encoding: Encoding, body: Uint8Array, options: CheckOptions = {}): ReceiveResult {
  const sent = check(encoding, body, options)
  const isMasked = options.redact === true && sent.ok && sent.request.spanCount > sent.request.refused.size
  const masked = isMasked ? maskRequest(encoding, body, sent.request.signal) : body
  const result = masked === body ? sent : check(encoding, masked, options)
  if (!result.ok) return result
  const { signal, spanCount, parts, refused, refusedFor, ends, values, marks, resource } = result.request
  const spans = spanCount - refused.size
  const isRelayed = refused.size + values.length + marks.length === 0
  const keep = refused.size === 0 ? undefined : (span: number) => !refused.has(span)
  return {
    ok: true,
    request: {
      ...(signal === 'logs' && { signal }),
      encoding,
      body: signal === 'metrics' ? NOTHING : isRelayed ? masked : rewrite(encoding)(result.request, keep),
      spans,
      parts,
      resource,
      refused: partialSuccess([...refused.values()], signal),
      refusedFor,
      ends,
    },
  }
}

/** What is kept of a request whose signal is not stored. */
const NOTHING = new Uint8Array()

/** The largest body, in bytes, that the main thread checks itself, within a few milliseconds. */
const LIGHT_BYTES = { protobuf: 1 << 20, json: 128 << 10 } as const satisfies Record<Encoding, number>

/**
 * Receives a request that can be checked within a few milliseconds and needs no change except for rejected items.
 * Returns undefined for any other well-formed request.
 */
export function receiveLight(encoding: Encoding, body: Uint8Array, options: CheckOptions): ReceiveResult | undefined {
  if (body.length > LIGHT_BYTES[encoding] || options.redact === true) return undefined
  try {
    return receive(encoding, body, { ...options, lightOnly: true })
  } catch (error) {
    if (error instanceof NotLight) return undefined
    throw error
  }
}

/** Returns a received body with only the spans or log records for whose index `keep` returns true. */
export function narrow({ signal, encoding, body }: Narrowed, keep: (item: number) => boolean): Uint8Array {
  const result = check(encoding, body, { signal })
  if (!result.ok) {
    throw new PlanspanError(
      'invalid_otlp',
      `A request that was accepted can't be read again: ${result.message} Report this.`,
    )
  }
  return rewrite(encoding)(result.request, keep)
}

type Narrowed = Pick<StoreRequest, 'signal' | 'encoding' | 'body'>

const check = (encoding: Encoding, body: Uint8Array, options: CheckOptions): CheckResult =>
  encoding === 'json' ? checkJson(body, options) : checkProtobuf(body, options)

const rewrite = (encoding: Encoding) => (encoding === 'json' ? rewriteJson : rewriteProtobuf)
