import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'

/** The compressions of OTLP. OTLP/HTTP has gzip only. */
const UNPACK = { gzip: promisify(gunzip), deflate: promisify(inflate) }

export type Compression = keyof typeof UNPACK

export type UnpackResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: 'too_large' | 'invalid' }

/** Decompresses a body. Rejects a body that decompresses to more than `limit` bytes. */
export async function unpackBounded(packed: Uint8Array, by: Compression, limit: number): Promise<UnpackResult> {
  try {
    const chunkSize = Math.min(Math.max(packed.length * 8, LEAST_CHUNK), MOST_CHUNK)
    return { ok: true, body: await UNPACK[by](packed, { maxOutputLength: limit, chunkSize }) }
  } catch (error) {
    return { ok: false, reason: isTooLarge(error) ? 'too_large' : 'invalid' }
  }
}

/** The size of zlib's output chunks, bytes. Each chunk costs the main thread some time. */
const LEAST_CHUNK = 16 << 10
const MOST_CHUNK = 1 << 20

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
