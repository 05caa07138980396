import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { readEnvironment } from '../cli-environment.js'

const POSITION = z.object({
  /** Device and inode. */
  id: z.string(),
  path: z.string(),
  size: z.number(),
  /** When it was changed, nanoseconds. */
  changed: z.string(),
  /** How far its records are imported. */
  offset: z.number(),
  /** How many lines that is. */
  lines: z.number(),
  /** SHA-256 of that part. */
  digest: z.string(),
  /** Whether its records are told apart by their places in the file. */
  byPlace: z.boolean(),
})

/** How far a file is imported. */
export type FilePosition = z.output<typeof POSITION>

const STATE = z.object({
  /** What the state belongs to; another one does not fit. */
  of: z.string(),
  files: z.array(POSITION).default([]),
  /** The plans that may still change, with the SHA-256 of each but for what changes with every reading. */
  plans: z.record(z.string(), z.string()).default({}),
  /** The plans of which nothing more will come. */
  settled: z.array(z.string()).default([]),
  /** How far each record that is not over reached. */
  reached: z.record(z.string(), z.string()).default({}),
  conversations: z.array(z.string()).default([]),
})

export type FollowState = z.output<typeof STATE>

/** What has to be remembered of a source for following to go on where it ended, in a file. */
export class StateFile {
  readonly path: string
  readonly state: FollowState
  #saved: string

  private constructor(path: string, state: FollowState) {
    this.path = path
    this.state = state
    this.#saved = JSON.stringify(state)
  }

  /** Reads the state of what is followed. Throws `usage` for a file that holds another one's, or none. */
  static async open(asked: string | undefined, identity: readonly string[]): Promise<StateFile> {
    const of = JSON.stringify(identity)
    const path = asked ?? defaultPath(of)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw new PlanspanError('usage', `The state file ${path} cannot be read: ${error.message}`, { cause: error })
    })
    if (text === undefined) return new StateFile(path, STATE.parse({ of }))
    const read = STATE.safeParse(jsonOf(text))
    if (!read.success) {
      throw new PlanspanError('usage', `${path} is no state of \`planspan follow\`. Name another file, or remove it.`)
    }
    if (read.data.of !== of) {
      throw new PlanspanError(
        'usage',
        `${path} is the state of following something else: ${read.data.of}. Name another file with --state.`,
      )
    }
    return new StateFile(path, read.data)
  }

  /** Writes the state if it has changed; whoever is killed meanwhile finds the old one or the new one. */
  async save(): Promise<void> {
    const text = JSON.stringify(this.state)
    if (text === this.#saved) return
    const next = `${this.path}.${String(process.pid)}.new`
    try {
      await mkdir(dirname(this.path), { recursive: true })
      await writeFile(next, text, { mode: 0o600 })
      await rename(next, this.path)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new PlanspanError('usage', `The state cannot be written: ${reason}. Name a file with --state.`, { cause })
    }
    this.#saved = text
  }
}

function defaultPath(of: string): string {
  const directory = readEnvironment().stateDirectory ?? join(homedir(), '.local', 'state')
  return join(directory, 'planspan', 'follow', `${createHash('sha256').update(of).digest('hex').slice(0, 16)}.json`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
