import { dirname, join } from 'node:path'
import { readdir } from 'node:fs/promises'

import { PlanspanError } from '../../error.js'
import { findFile, findFiles } from './find-files.js'
import { FollowedFile, type FoundFile, type LookOptions } from './followed-file.js'
import { type FollowContext, type FollowedSource, SourceAway } from './source.js'

/** The pause after a look, as a multiple of the time that finding the files took. */
const REST = 5

/** Follows a file, or the files below a directory, by polling. */
export class FollowFiles implements FollowedSource {
  readonly #path: string
  readonly #context: FollowContext
  #files: FollowedFile[]
  /** The files that cannot be read, which were reported. */
  readonly #unread = new Set<string>()
  /** The time of the next look, since searching for many files takes long. */
  #lookAt = 0

  constructor(path: string, context: FollowContext) {
    this.#path = path
    this.#context = context
    this.#files = context.stateFile.state.files.map((position) => new FollowedFile(position))
  }

  async look(): Promise<boolean> {
    if (performance.now() < this.#lookAt) return false
    const { files, isDirectory } = await this.#find()
    const known = this.#match(files)
    this.#files = [...known.values()]
    const options = this.#optionsFor(isDirectory)
    const { stateFile, checkpoint, signal } = this.#context
    const remember = () => {
      stateFile.state.files = this.#files.map(({ position }) => position)
    }
    for (const [found, file] of known) {
      if (signal.aborted) break
      await this.#lookAtFile(file, found, options, isDirectory)
      await checkpoint.nowAndThen(remember)
    }
    remember()
    return false
  }

  async #find(): Promise<{ files: FoundFile[]; isDirectory: boolean }> {
    const start = performance.now()
    try {
      const { kind, ...file } = await findFile(this.#path)
      const isDirectory = kind === 'directory'
      if (kind === 'other') throw new Error('it is neither a file nor a directory')
      const files = isDirectory ? await findFiles(this.#path) : [...(await this.#rotated(file)), file]
      this.#lookAt = performance.now() + (performance.now() - start) * REST
      return { files, isDirectory }
    } catch (cause) {
      throw unreadable(this.#path, cause)
    }
  }

  /** Returns rotated files: earlier files of the path that are beside it now. The last records may be in them. */
  async #rotated(current: FoundFile): Promise<FoundFile[]> {
    const ids = new Set(this.#files.map(({ position }) => position.id))
    if (ids.size === 0 || (ids.size === 1 && ids.has(current.id))) return []
    const directory = dirname(this.#path)
    const beside = (await readdir(directory)).map((name) => findFile(join(directory, name)).catch(() => undefined))
    return (await Promise.all(beside)).filter(
      (file) => file && ids.has(file.id) && file.id !== current.id,
    ) as FoundFile[]
  }

  /** Matches files by inode; a file that replaced another and begins with the same bytes continues it. */
  #match(found: readonly FoundFile[]): Map<FoundFile, FollowedFile> {
    const byId = new Map(this.#files.map((file) => [file.position.id, file]))
    const ids = new Set(found.map(({ id }) => id))
    const gone = this.#files.filter(({ position }) => !ids.has(position.id))
    const goneByPath = new Map(gone.map((file) => [file.position.path, file]))
    return new Map(
      found.map((file) => [file, byId.get(file.id) ?? goneByPath.get(file.path) ?? new FollowedFile(file)]),
    )
  }

  async #lookAtFile(file: FollowedFile, found: FoundFile, options: LookOptions, isOneOfMany: boolean): Promise<void> {
    try {
      await file.look(found, options)
      this.#unread.delete(found.path)
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException
      // A file that has disappeared has nothing new.
      if (code === 'ENOENT') return
      if (syscall === undefined) throw error
      const away = unreadable(found.path, error)
      if (!isOneOfMany) throw away
      if (!this.#unread.has(found.path)) this.#context.report.refuse({ from: found.path, message: away.message })
      this.#unread.add(found.path)
    }
  }

  #optionsFor(isDirectory: boolean): LookOptions {
    const { importer, encodeOptions, report, once } = this.#context
    return {
      importer,
      encodeOptions,
      isLast: once,
      remark: (message) => report.remark(message),
      refuse: (error, from, line) => {
        // A directory may contain other kinds of files.
        if (isDirectory && error.code === 'unknown_dialect') return
        report.refuse({ from, line, message: error.message })
      },
    }
  }
}

function unreadable(path: string, cause: unknown): SourceAway {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new SourceAway(new PlanspanError('usage', `${path} cannot be read: ${reason}.`, { cause }))
}
