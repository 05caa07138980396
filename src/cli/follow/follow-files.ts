import { dirname, join } from 'node:path'
import { readdir } from 'node:fs/promises'

import { PlanspanError } from '../../error.js'
import { findFile, findFiles } from './find-files.js'
import { FollowedFile, type FoundFile, type LookOptions } from './followed-file.js'
import { type FollowContext, type FollowedSource, SourceAway } from './source.js'

/** Follows a file, or the files below a directory, by looking at them again and again. */
export class FollowFiles implements FollowedSource {
  readonly #path: string
  readonly #context: FollowContext
  #files: FollowedFile[]

  constructor(path: string, context: FollowContext) {
    this.#path = path
    this.#context = context
    this.#files = context.stateFile.state.files.map((position) => new FollowedFile(position))
  }

  async look(): Promise<boolean> {
    const { files, isDirectory } = await this.#find()
    const known = new Map(files.map((found) => [found, this.#fileOf(found, files)]))
    this.#files = [...known.values()]
    const options = this.#optionsFor(isDirectory)
    const { stateFile, checkpoint, signal } = this.#context
    const remember = () => {
      stateFile.state.files = this.#files.map(({ position }) => position)
    }
    for (const [found, file] of known) {
      if (signal.aborted) break
      await lookAt(file, found, options)
      await checkpoint.nowAndThen(remember)
    }
    remember()
    return false
  }

  async #find(): Promise<{ files: FoundFile[]; isDirectory: boolean }> {
    try {
      const { isDirectory, ...file } = await findFile(this.#path)
      const files = isDirectory ? await findFiles(this.#path) : [...(await this.#rotated(file)), file]
      return { files, isDirectory }
    } catch (cause) {
      const message = `${this.#path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`
      throw new SourceAway(new PlanspanError('usage', message, { cause }))
    }
  }

  /** The files that stood at the path before, wherever they were moved beside it: what came last may be in them. */
  async #rotated(current: FoundFile): Promise<FoundFile[]> {
    const ids = new Set(this.#files.map(({ position }) => position.id))
    if (ids.size === 0 || (ids.size === 1 && ids.has(current.id))) return []
    const directory = dirname(this.#path)
    const beside = (await readdir(directory)).map((name) => findFile(join(directory, name)).catch(() => undefined))
    return (await Promise.all(beside)).filter(
      (file) => file && ids.has(file.id) && file.id !== current.id,
    ) as FoundFile[]
  }

  /** A file is known by its inode; one that took another's place and begins as that did goes on for it. */
  #fileOf(found: FoundFile, all: readonly FoundFile[]): FollowedFile {
    const same = this.#files.find(({ position }) => position.id === found.id)
    if (same) return same
    const before = this.#files.find(({ position }) => position.path === found.path)
    const isGone = before && !all.some(({ id }) => id === before.position.id)
    return isGone ? before : new FollowedFile(found)
  }

  #optionsFor(isDirectory: boolean): LookOptions {
    const { importer, encodeOptions, report, once } = this.#context
    return {
      importer,
      encodeOptions,
      isLast: once,
      remark: (message) => report.remark(message),
      refuse: (error, from, line) => {
        // A directory may hold files of other kinds.
        if (isDirectory && error.code === 'unknown_dialect') return
        report.refuse({ from, line, message: error.message })
      },
    }
  }
}

/** A file that has gone meanwhile holds nothing new. */
async function lookAt(file: FollowedFile, found: FoundFile, options: LookOptions): Promise<void> {
  try {
    await file.look(found, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
