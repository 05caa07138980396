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
  /** Its bytes in chunks. Throws `usage` if the file cannot be read. */
  chunks(): AsyncGenerator<Uint8Array>
}

/** Opens the inputs of a command line. Throws `usage` if there are none. */
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
    `${name} cannot be read: ${reason}. Pass a readable file, or - for standard input.`,
    { cause },
  )
}

const errorCodeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether the error is about an unreadable file. */
export const isUnreadable = (error: unknown): error is PlanspanError =>
  error instanceof PlanspanError && errorCodeOf(error.cause) !== ''

/** Whether the error is about a missing file. */
export const isMissingFile = (error: unknown): error is PlanspanError =>
  isUnreadable(error) && errorCodeOf(error.cause) === 'ENOENT'
