import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'

/** The compressions of OTLP; over HTTP it has the first one alone. */
const UNPACK = { gzip: promisify(gunzip), deflate: promisify(inflate) }

export type Compression = keyof typeof UNPACK

export type UnpackResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: 'too_large' | 'invalid' }

/** Decompresses a body, up to a limit in bytes; larger ones are refused. */
export async function unpackBounded(packed: Uint8Array, by: Compression, limit: number): Promise<UnpackResult> {
  try {
    const chunkSize = Math.min(Math.max(packed.length * 8, LEAST_CHUNK), MOST_CHUNK)
    return { ok: true, body: await UNPACK[by](packed, { maxOutputLength: limit, chunkSize }) }
  } catch (error) {
    return { ok: false, reason: isTooLarge(error) ? 'too_large' : 'invalid' }
  }
}

/** What comes out of zlib's threads at once, bytes: each piece costs the thread of all requests some time. */
const LEAST_CHUNK = 16 << 10
const MOST_CHUNK = 1 << 20

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
