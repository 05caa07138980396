import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { ZodType } from 'zod'

import { PlanspanError } from '../../error.js'
import { checkSchemas } from '../../store/backup/index.js'
import { PLANSPAN_VERSION } from '../../base/version.js'
import {
  fileFailure,
  CONTENTS,
  FORMAT,
  OVERVIEW,
  BrokenArchive,
  unpack,
  type Contents,
  type Overview,
  type FoundEntry,
} from './backup-file.js'

export interface BackupReader {
  /** Called once, before any file. */
  readonly begin: (overview: Overview) => void
  /** Receives a file, and must read all of it. */
  readonly take: (path: string, content: AsyncIterable<Uint8Array>) => Promise<void>
  readonly onProgress?: ((bytes: number, total: number) => void) | undefined
}

const PIECE_BYTES = 1 << 20
/** The allowed paths of a backup; none leads outside the target. */
const PATH = /^(?:credentials\.json|ports\.json|(?:store|cold)(?:\/(?!\.\.?(?:\/|$))[^/\0]+)+)$/

/**
 * Reads a backup and verifies each of its files. Throws `usage` for a file that is damaged, incomplete or not a
 * backup, and `schema_mismatch` for a backup of a newer planspan.
 */
export async function readBackup(
  file: string,
  reader: BackupReader,
): Promise<{ overview: Overview; contents: Contents }> {
  try {
    return await readAll(unpack(createReadStream(file, { highWaterMark: PIECE_BYTES })), reader)
  } catch (error) {
    if (!(error instanceof BrokenArchive)) throw fileFailure(file, error)
    throw new PlanspanError('usage', `${file} is no whole backup of planspan: ${error.message}`, { cause: error })
  }
}

async function readAll(entries: AsyncGenerator<FoundEntry>, { begin, take, onProgress }: BackupReader) {
  const first = (await entries.next()).value as FoundEntry | undefined
  const overview = await readJson(first, OVERVIEW)
  checkOverview(overview)
  begin(overview)
  const found: Record<string, Contents['files'][string]> = {}
  let done = 0
  let contents: Contents | undefined
  for await (const entry of entries) {
    const { path, size, content } = entry
    if (path === CONTENTS.path) {
      contents = await readJson(entry, CONTENTS)
      continue
    }
    if (!PATH.test(path)) throw new BrokenArchive(`It has a file ${JSON.stringify(path)}.`)
    const hash = createHash('sha256')
    await take(path, hashing(content, hash))
    found[path] = { size, sha256: hash.digest('hex') }
    done += size
    onProgress?.(done, overview.bytes)
  }
  if (!contents) throw new BrokenArchive('It is cut off.')
  compare(contents.files, found)
  return { overview, contents }
}

async function readJson<T>(entry: FoundEntry | undefined, { path, schema }: { path: string; schema: ZodType<T> }) {
  if (entry?.path !== path) throw new BrokenArchive(`It does not begin with ${path}.`)
  const said = await text(entry.content)
  try {
    return schema.parse(JSON.parse(said))
  } catch (cause) {
    throw new BrokenArchive(`Its ${path} is damaged.`, { cause })
  }
}

function checkOverview({ format, planspan, schemas }: Overview): void {
  if (format > FORMAT) {
    throw new PlanspanError(
      'schema_mismatch',
      `The backup was made by planspan ${planspan} in a format that ${PLANSPAN_VERSION} does not support. Restore it with that ` +
        'version or a later one.',
    )
  }
  checkSchemas(schemas)
}

async function* hashing(content: FoundEntry['content'], hash: { update(piece: Uint8Array): unknown }) {
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
}

function compare(expected: Contents['files'], found: Contents['files']): void {
  for (const path of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    if (expected[path]?.sha256 !== found[path]?.sha256) throw new BrokenArchive(`${path} in it is damaged.`)
  }
}
