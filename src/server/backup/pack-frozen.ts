import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'

import { frozenDirectories, type DataDirectory } from '../../clickhouse/index.js'
import type { Frozen } from '../../store/backup/index.js'
import { PLANSPAN_VERSION } from '../../base/version.js'
import { CONTENTS, FORMAT, OVERVIEW, type Contents, type Overview, type ArchiveEntry } from './backup-file.js'

/** A file and its path in the backup. */
interface PackedFile {
  readonly path: string
  readonly from: string
  readonly size: number
}

export interface FoundFiles {
  readonly files: readonly PackedFile[]
  readonly bytes: number
  /** Whether the tables have a volume for cold data, even if it is empty. */
  readonly hasColdData: boolean
}

const PIECE_BYTES = 1 << 20
/** The name of the file that contains the number of rows of a part. */
const COUNT = /^(?:store|cold)\/store\/\w{3}\/([\da-f-]{36})\/([^/]+)\/count\.txt$/

/** Lists the files of a data directory whose tables were frozen under a name. */
export async function findFrozen(directory: DataDirectory, name: string): Promise<FoundFiles> {
  const { hot, cold } = frozenDirectories(directory, name)
  const own = [directory.credentials, directory.ports].filter((path) => existsSync(path))
  const files = [
    ...(await Promise.all(own.map((from) => describe(from, basename(from))))),
    ...(await filesBelow(hot, 'store')),
    ...(cold !== undefined && existsSync(cold) ? await filesBelow(cold, 'cold') : []),
  ]
  return { files, bytes: files.reduce((sum, { size }) => sum + size, 0), hasColdData: cold !== undefined }
}

async function filesBelow(root: string, prefix: string): Promise<PackedFile[]> {
  const found: PackedFile[] = []
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const from = join(entry.parentPath, entry.name)
    found.push(await describe(from, join(prefix, relative(root, from)).replaceAll(sep, '/')))
  }
  return found
}

const describe = async (from: string, path: string): Promise<PackedFile> => ({
  path,
  from,
  size: (await stat(from)).size,
})

function overviewOf({ files, bytes, hasColdData }: FoundFiles, { clickhouse, schemas }: Frozen): Overview {
  return {
    format: FORMAT,
    planspan: PLANSPAN_VERSION,
    clickhouse,
    madeAt: new Date().toISOString(),
    schemas,
    hasColdData,
    files: files.length,
    bytes,
  }
}

/** Yields the entries of a backup: the manifest, the files, and the list of contents. */
export async function* packFrozen(
  found: FoundFiles,
  frozen: Frozen,
  on: { progress: (bytes: number) => void; packed: (contents: Contents) => void },
): AsyncGenerator<ArchiveEntry> {
  yield jsonEntry(OVERVIEW.path, overviewOf(found, frozen))
  const sums: Contents['files'] = {}
  const parts = new Map<string, Record<string, number>>()
  let done = 0
  for (const { path, from, size } of found.files) {
    const hash = createHash('sha256')
    const [, uuid = '', part = ''] = COUNT.exec(path) ?? []
    yield {
      path,
      size,
      content: pass(read(from, size), (piece) => {
        hash.update(piece)
        if (part !== '') parts.set(uuid, { ...parts.get(uuid), [part]: Number(piece.toString()) })
      }),
    }
    sums[path] = { size, sha256: hash.digest('hex') }
    done += size
    on.progress(done)
  }
  const tables = frozen.tables.map(({ database, table, uuid }) => ({ database, table, parts: parts.get(uuid) ?? {} }))
  const contents = { files: sums, tables }
  yield jsonEntry(CONTENTS.path, contents)
  on.packed(contents)
}

/** Reads a file of a known size. Streams would take twice as long, because most files are small. */
async function* read(path: string, size: number): AsyncGenerator<Buffer> {
  const handle = await open(path)
  try {
    for (let left = size; left > 0;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(left, PIECE_BYTES)))
      if (bytesRead === 0) throw new Error(`${path} has lost ${String(left)} of its ${String(size)} bytes.`)
      left -= bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

async function* pass(pieces: AsyncIterable<Buffer>, look: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    look(piece)
    yield piece
  }
}

function jsonEntry(path: string, value: unknown): ArchiveEntry {
  const content = Buffer.from(JSON.stringify(value))
  return { path, size: content.length, content: [content] }
}
