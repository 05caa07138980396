import { createTarDecoder, createTarPacker, type TarPackController } from 'modern-tar'
import { dirname } from 'node:path'
import { z } from 'zod'

import { freeOn, isFull, mebibytes } from '../../clickhouse/index.js'
import { PlanspanError } from '../../error.js'

/** The version of the backup format. */
export const FORMAT = 1

/** The first file of a backup: its format and the version of planspan. */
export const OVERVIEW = { path: 'overview.json', schema: overviewSchema() }
export type Overview = z.output<typeof OVERVIEW.schema>

/** The last file of a backup: the contents of all other files. */
export const CONTENTS = { path: 'contents.json', schema: contentsSchema() }
export type Contents = z.output<typeof CONTENTS.schema>

function overviewSchema() {
  return z.object({
    format: z.number(),
    planspan: z.string(),
    clickhouse: z.string(),
    madeAt: z.iso.datetime(),
    /** The applied versions of the schema, by database. */
    schemas: z.record(z.string(), z.array(z.object({ version: z.number(), checksum: z.string() })).readonly()),
    hasColdData: z.boolean(),
    files: z.number(),
    bytes: z.number(),
  })
}

function contentsSchema() {
  return z.object({
    /** The size and SHA-256 of each file, by path. */
    files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })),
    /** The number of rows of each part. */
    tables: z.array(z.object({ database: z.string(), table: z.string(), parts: z.record(z.string(), z.number()) })),
  })
}

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

/** Returns the error for a file of a backup that needs some bytes, by the system's error. */
export function fileFailure(path: string, cause: unknown, needed?: number): unknown {
  if (cause instanceof PlanspanError || !(cause instanceof Error) || !('code' in cause)) return cause
  if (isFull(cause)) {
    const free = freeOn(dirname(path))
    const size = needed === undefined ? '' : `, and the file needs ${mebibytes(needed)}`
    return new PlanspanError(
      'disk_full',
      `The disk of ${path} is full${free}${size}. Free some space, or use another disk.`,
      { cause },
    )
  }
  if (!('syscall' in cause)) return cause
  return new PlanspanError('usage', `${path} cannot be read or written: ${cause.message}.`, { cause })
}
