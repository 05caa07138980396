import { Buffer } from 'node:buffer'

import { BLOCK, paddingOf, readHeader, readPaxPath, writeHeader } from './tar-header.js'

/** A file in an archive. All of its content is read, once, before the next entry. */
export interface ArchiveEntry {
  readonly path: string
  readonly size: number
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** A file that was found in an archive. */
export interface FoundEntry extends ArchiveEntry {
  readonly content: AsyncIterable<Uint8Array>
}

/** What is read is no archive, or not all of one. */
export class BrokenArchive extends Error {}

/** Writes a tar archive, as a stream of its bytes. */
export async function* pack(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  for await (const { path, size, content } of entries) {
    yield writeHeader(path, size)
    yield* content
    yield Buffer.alloc(paddingOf(size))
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** Reads a tar archive; throws `BrokenArchive`. */
export async function* unpack(source: AsyncIterable<Uint8Array>): AsyncGenerator<FoundEntry> {
  const bytes = new Bytes(source)
  let longPath: string | undefined
  for (;;) {
    const header = readHeader(await bytes.take(BLOCK))
    if (header === null) return
    if (!header) throw new BrokenArchive('It is damaged, or something else.')
    const { path, size, type } = header
    if (type === 'x') {
      longPath = readPaxPath(await bytes.take(size))
    } else {
      yield { path: longPath ?? path, size, content: bytes.pieces(size) }
      longPath = undefined
    }
    await bytes.take(paddingOf(size))
  }
}

/** Takes a stream of pieces apart into others. */
class Bytes {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Uint8Array = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async take(size: number): Promise<Buffer> {
    const taken: Uint8Array[] = []
    for await (const piece of this.pieces(size)) taken.push(piece)
    return Buffer.concat(taken)
  }

  async *pieces(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0;) {
      if (this.#rest.length === 0) await this.#read()
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  async #read(): Promise<void> {
    const { done, value } = await this.#source.next()
    if (done) throw new BrokenArchive('It is cut off.')
    this.#rest = value
  }
}
