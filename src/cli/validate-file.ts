import type { DialectName } from '../mapping/index.js'
import { recordError } from './check-record.js'
import { Progress } from './progress.js'
import type { Input } from './read-input.js'
import { findRecords } from './read-records.js'

/** A record that is none, with the line on which it starts, from 1. */
export interface InvalidRecord {
  readonly line: number
  readonly error: string
}

const MAX_ERROR_LENGTH = 240

export interface ValidateFileOptions {
  readonly format: 'auto' | DialectName
  readonly onInvalid: (invalid: InvalidRecord) => void
}

/** Checks a file's records one by one and counts them. */
export async function validateFile(
  input: Input,
  { format, onInvalid }: ValidateFileOptions,
): Promise<{ readonly total: number; readonly valid: number }> {
  const progress = new Progress(input.name, await input.size())
  let read = 0
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.chunks()) {
      read += chunk.length
      yield chunk
    }
  }
  let total = 0
  let valid = 0
  try {
    for await (const found of findRecords(chunks(), format)) {
      total++
      const error = 'error' in found ? found.error.message : recordError(found)
      if (error === undefined) valid++
      else onInvalid({ line: found.line, error: cut(error) })
      progress.update(read, `${String(total)} records`)
    }
  } finally {
    progress.end()
  }
  return { total, valid }
}

const cut = (message: string): string =>
  message.length <= MAX_ERROR_LENGTH ? message : `${message.slice(0, MAX_ERROR_LENGTH - 3)}...`
