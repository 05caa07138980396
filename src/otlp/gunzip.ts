import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const gunzipAsync = promisify(gunzip)

export type GunzipResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: 'too_large' | 'invalid' }

/** Decompresses gzip, up to a limit in bytes; larger bodies are refused. */
export async function gunzipBounded(packed: Uint8Array, limit: number): Promise<GunzipResult> {
  try {
    return { ok: true, body: await gunzipAsync(packed, { maxOutputLength: limit }) }
  } catch (error) {
    return { ok: false, reason: isTooLarge(error) ? 'too_large' : 'invalid' }
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
