import type { Context } from 'hono'

import { gunzipBounded } from '../otlp/index.js'
import { readBounded } from './read-bounded.js'

export type BodyResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly status: 400 | 413 | 415; readonly message: string }

/** A request's body, unpacked; told where it is larger than a limit in bytes (packed or unpacked) or neither gzip nor plain. */
export async function readBody(c: Context, maxBytes: number): Promise<BodyResult> {
  const packing = c.req.header('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (packing !== 'gzip' && packing !== 'identity') {
    return { ok: false, status: 415, message: `The Content-Encoding is ${packing}. Send gzip or none.` }
  }
  const tooLarge = {
    ok: false,
    status: 413,
    message: `The request has more than ${maxBytes} bytes. Send less at once.`,
  } as const
  const sent = await readBounded(c.req.raw, maxBytes)
  if (!sent) return tooLarge
  if (packing === 'identity') return { ok: true, body: sent }
  const unpacked = await gunzipBounded(sent, maxBytes)
  if (unpacked.ok) return unpacked
  return unpacked.reason === 'too_large'
    ? tooLarge
    : { ok: false, status: 400, message: 'The body is not gzip, though its Content-Encoding says so.' }
}
