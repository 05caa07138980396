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
  /** The modification time, nanoseconds. */
  changed: z.string(),
  /** The end of the imported part, bytes. */
  offset: z.number(),
  /** The number of lines in it. */
  lines: z.number(),
  /** The SHA-256 of it. */
  digest: z.string(),
  /** Whether its records are distinguished by their positions in the file. */
  byPlace: z.boolean(),
})

/** How far a file is imported. */
export type FilePosition = z.output<typeof POSITION>

const STATE = z.object({
  /** Identifies what the state belongs to. */
  of: z.string(),
  files: z.array(POSITION).default([]),
  /** The plans that may still change, with the SHA-256 of each, without values that differ with each read. */
  plans: z.record(z.string(), z.string()).default({}),
  /** The complete plans. */
  settled: z.array(z.string()).default([]),
  /** The latest time of each unfinished record. */
  reached: z.record(z.string(), z.string()).default({}),
  conversations: z.array(z.string()).default([]),
})

export type FollowState = z.output<typeof STATE>

/** The persistent state of following a source, in a file, so that following can continue after a restart. */
export class StateFile {
  readonly path: string
  readonly state: FollowState
  #saved: string

  private constructor(path: string, state: FollowState) {
    this.path = path
    this.state = state
    this.#saved = JSON.stringify(state)
  }

  /** Reads the state of a source. Throws `usage` if the file belongs to another source or is malformed. */
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
      throw new PlanspanError(
        'usage',
        `${path} is not a state file of \`planspan follow\`. Name another file, or remove it.`,
      )
    }
    if (read.data.of !== of) {
      throw new PlanspanError(
        'usage',
        `${path} is the state file of another source: ${read.data.of}. Name another file with --state.`,
      )
    }
    return new StateFile(path, read.data)
  }

  /** Writes the state if it has changed, atomically. */
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
