import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { FoundFile } from './followed-file.js'

/** Names of files that may hold records, also after they were rotated. */
const NAME = /^[^.].*\.(?:json|jsonl|ndjson|sse)(?:\.\d+)?$/
/** Errors of what is gone, or not ours to read: everything else is found without it. */
const PASSED_OVER: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'ENOTDIR'])

interface FoundPath extends FoundFile {
  /** Pipes and devices are others. */
  readonly kind: 'file' | 'directory' | 'other'
}

/** What stands at a path now. Throws as the system does. */
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

/** The files below a directory that may hold records, each once, however many links lead to it. */
export async function findFiles(directory: string): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  const visited = new Set<string>()
  const visit = async (path: string): Promise<void> => {
    for (const name of (await readdir(path)).sort()) {
      const below = await passingOver(findFile(join(path, name)))
      if (!below || visited.has(below.id)) continue
      visited.add(below.id)
      const { kind, ...file } = below
      if (kind === 'file' && NAME.test(name)) found.set(file.id, file)
      if (kind === 'directory' && !name.startsWith('.')) await passingOver(visit(below.path))
    }
  }
  visited.add((await findFile(directory)).id)
  await visit(directory)
  return [...found.values()]
}

async function passingOver<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (PASSED_OVER.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
