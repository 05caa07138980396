import { PlanspanError } from '../error.js'

export type BoundedResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: 'too_large' | 'broken_off' }

export interface Bounds {
  readonly maxBytes: number
  /** Takes room for some more bytes. Throws a PlanspanError where there is none. */
  readonly hold: (bytes: number) => void
}

/** A request's body; what is too large is not read. Throws what `hold` throws. */
export async function readBounded(request: Request, bounds: Bounds): Promise<BoundedResult> {
  try {
    return await read(request, bounds)
  } catch (error) {
    if (error instanceof PlanspanError) throw error
    // A body that can't be read is one whose sender has gone.
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
