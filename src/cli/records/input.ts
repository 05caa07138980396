import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import process from 'node:process'

import { PlanspanError } from '../../error.js'

/** A file, or standard input for `-`. */
export interface Input {
  /** Its name in messages. */
  readonly name: string
  /** The size in bytes; 0 if unknown. */
  size(): Promise<number>
  /** Its bytes in chunks. Throws `usage` for a file that cannot be read. */
  chunks(): AsyncGenerator<Uint8Array>
}

/** The inputs named on the command line. Throws `usage` if there are none. */
export function openInputs(files: readonly string[]): Input[] {
  if (files.length === 0) {
    throw new PlanspanError('usage', 'No file is named. Give one or more, or - for standard input.')
  }
  return files.map(openInput)
}

function openInput(file: string): Input {
  const isStandardInput = file === '-'
  const name = isStandardInput ? 'standard input' : file
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of isStandardInput ? process.stdin : createReadStream(file)) yield chunk as Uint8Array
    } catch (cause) {
      throw unreadable(name, cause)
    }
  }
  return {
    name,
    chunks,
    async size() {
      if (isStandardInput) return 0
      return stat(file).then(
        ({ size }) => size,
        () => 0,
      )
    },
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
}

function unreadable(name: string, cause: unknown): PlanspanError {
  const reason = REASONS[errorCodeOf(cause)] ?? (cause instanceof Error ? cause.message : String(cause))
  return new PlanspanError(
    'usage',
    `${name} cannot be read: ${reason}. Give a file that can, or - for standard input.`,
    { cause },
  )
}

const errorCodeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether an error is about a file that cannot be read. */
export const isUnreadable = (error: unknown): error is PlanspanError =>
  error instanceof PlanspanError && errorCodeOf(error.cause) !== ''

/** Whether an error is about a file that does not exist. */
export const isMissingFile = (error: unknown): error is PlanspanError =>
  isUnreadable(error) && errorCodeOf(error.cause) === 'ENOENT'
