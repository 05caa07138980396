import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { FoundFile } from './followed-file.js'

/** Names of files that may contain records, including rotated files. */
const NAME = /^[^.].*\.(?:json|jsonl|ndjson|sse)(?:\.\d+)?$/
/** Errors for files that are gone or not readable for this user; such files are skipped. */
const SKIPPED: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'ENOTDIR'])

interface FoundPath extends FoundFile {
  /** `other` for pipes and devices. */
  readonly kind: 'file' | 'directory' | 'other'
}

/** Returns the file at a path. Throws the error of the system. */
export async function findFile(path: string): Promise<FoundPath> {
  const found = await stat(path, { bigint: true })
  const { dev, ino, size, mtimeNs } = found
  return {
    path,
    id: `${String(dev)}:${String(ino)}`,
    size: Number(size),
    changed: String(mtimeNs),
    kind: found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other',
  }
}

/** Returns the files below a directory that may contain records, each once, even if several links lead to it. */
export async function findFiles(directory: string): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  const visited = new Set<string>()
  const visit = async (path: string): Promise<void> => {
    for (const name of (await readdir(path)).sort()) {
      const below = await skipUnreadable(findFile(join(path, name)))
      if (!below || visited.has(below.id)) continue
      visited.add(below.id)
      const { kind, ...file } = below
      if (kind === 'file' && NAME.test(name)) found.set(file.id, file)
      if (kind === 'directory' && !name.startsWith('.')) await skipUnreadable(visit(below.path))
    }
  }
  visited.add((await findFile(directory)).id)
  await visit(directory)
  return [...found.values()]
}

async function skipUnreadable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (SKIPPED.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
