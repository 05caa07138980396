/** A request's body, up to a limit in bytes; undefined, and unread, when it is larger. */
export async function readBounded(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get('content-length')
  if (declared !== null) return Number(declared) > limit ? undefined : new Uint8Array(await request.arrayBuffer())
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.length
    if (length > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
