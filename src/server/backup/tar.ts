import { createTarDecoder, createTarPacker, type TarPackController } from 'modern-tar'

/** A file in an archive. All of its content is read, once, before the next entry. */
export interface ArchiveEntry {
  readonly path: string
  readonly size: number
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** A file read from an archive. */
export interface FoundEntry extends ArchiveEntry {
  readonly content: AsyncIterable<Uint8Array>
}

/** An invalid or incomplete archive. */
export class BrokenArchive extends Error {}

/** Writes a tar archive, as a stream of its bytes. */
export async function* pack(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker()
  // The stream reports a failure.
  const filled = fill(controller, entries).catch((error: unknown) => controller.error(error))
  yield* readable
  await filled
}

async function fill(controller: TarPackController, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  for await (const { path, size, content } of entries) {
    const writer = controller.add({ name: path, size, mode: 0o600, type: 'file' }).getWriter()
    for await (const piece of content) await writer.write(piece)
    await writer.close()
  }
  controller.finalize()
}

/** Reads a tar archive that contains only files. Throws `BrokenArchive`, and the errors of the source. */
export async function* unpack(source: AsyncIterable<Uint8Array>): AsyncGenerator<FoundEntry> {
  const entries = ReadableStream.from(source).pipeThrough(createTarDecoder({ strict: true }))
  for await (const { header, body } of explained(entries)) {
    if (header.type !== 'file') throw new BrokenArchive(`${header.name} in it is no file.`)
    yield { path: header.name, size: header.size, content: explained(body) }
  }
}

async function* explained<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pieces
  } catch (error) {
    const isOfSource = error instanceof BrokenArchive || (error instanceof Error && 'code' in error)
    if (isOfSource) throw error
    throw new BrokenArchive('It is cut off, damaged, or something else.', { cause: error })
  }
}
