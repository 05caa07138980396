/** Waits for the first piece of an answer: until then a failure can be told by the status. */
export async function begun(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const first = await pieces.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* pieces
  })()
}
