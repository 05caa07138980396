import { PlanspanError } from '../error.js'

export type BoundedResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: 'too_large' | 'broken_off' }

export interface Bounds {
  readonly maxBytes: number
  /** Reserves room for more bytes. Throws a PlanspanError if there is none. */
  readonly hold: (bytes: number) => void
}

/** Reads a request's body, unless it is too large. Throws what `hold` throws. */
export async function readBounded(request: Request, bounds: Bounds): Promise<BoundedResult> {
  try {
    return await read(request, bounds)
  } catch (error) {
    if (error instanceof PlanspanError) throw error
    // A body can't be read when its sender has gone.
    return { ok: false, reason: 'broken_off' }
  }
}

async function read(request: Request, { maxBytes, hold }: Bounds): Promise<BoundedResult> {
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    if (Number(declared) > maxBytes) return { ok: false, reason: 'too_large' }
    hold(Number(declared))
    return { ok: true, body: new Uint8Array(await request.arrayBuffer()) }
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > maxBytes) return { ok: false, reason: 'too_large' }
    hold(chunk.length)
    chunks.push(chunk)
  }
  return { ok: true, body: Buffer.concat(chunks) }
}
