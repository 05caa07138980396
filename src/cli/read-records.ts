import { PlanspanError } from '../error.js'
import { encodeRecords, type EncodedRecord, type EncodeOptions } from '../mapping/index.js'

/** A record of a file, or what is wrong with it. */
export type RecordOrError =
  | { readonly record: EncodedRecord }
  | { readonly error: PlanspanError; /** 1-based, in the file. */ readonly line: number }

/**
 * The records of a file one by one. After a bad one it goes on at the next line that begins with `{`, where the next
 * record of JSON lines and of indented files alike begins.
 */
export function* readRecords(bytes: Uint8Array, options: EncodeOptions): Generator<RecordOrError> {
  for (let from = 0; from < bytes.length || from === 0;) {
    try {
      for (const record of encodeRecords(bytes.subarray(from), options)) {
        yield { record }
        from += Buffer.byteLength(record.text)
      }
      return
    } catch (error) {
      if (!(error instanceof PlanspanError) || error.code === 'usage') throw error
      yield { error, line: lineAt(bytes, from) }
      const next = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('\n{', from + 1)
      if (next === -1) return
      from = next + 1
    }
  }
}

const NEWLINE = 10

function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(NEWLINE); at !== -1 && at < offset; at = bytes.indexOf(NEWLINE, at + 1)) line++
  return line
}
