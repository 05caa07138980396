import { readFile } from 'node:fs/promises'
import process from 'node:process'

import { PlanspanError } from '../error.js'

/** The bytes of a file, or of standard input for `-`. Throws `usage` for a file that cannot be read. */
export async function readInput(file: string): Promise<Uint8Array> {
  if (file === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }
  try {
    return await readFile(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PlanspanError(
      'usage',
      `${file} cannot be read: ${reason}. Give a file that can, or - for standard input.`,
      {
        cause,
      },
    )
  }
}

/** The name of an input in messages. */
export const inputName = (file: string): string => (file === '-' ? 'standard input' : file)

/** Throws `usage` when no file is named. */
export function requireFiles(files: readonly string[]): void {
  if (files.length > 0) return
  throw new PlanspanError('usage', 'No file is named. Give one or more, or - for standard input.')
}
