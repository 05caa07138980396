import { PlanspanError } from '../error.js'
import { emptyFile, type BadRecord, type EncodeOptions, type FoundRecord } from '../mapping/index.js'
import { checkTimeZone } from '../mapping/time.js'
import { findRecords } from './read-records.js'

/** The first record of a file that could not be imported. `onRead` is told each good one. Throws `usage` for an unknown time zone. */
export async function firstBadRecord(
  chunks: AsyncIterable<Uint8Array>,
  { format, timeZone = 'UTC' }: EncodeOptions,
  onRead: (found: FoundRecord) => void,
): Promise<BadRecord | undefined> {
  checkTimeZone(timeZone)
  let isEmpty = true
  for await (const found of findRecords(chunks, format)) {
    isEmpty = false
    if ('error' in found) return found
    const error = dialectError(found, timeZone)
    if (error) return { error, line: found.line }
    onRead(found)
  }
  return isEmpty ? { error: emptyFile(), line: 1 } : undefined
}

/** What a record's dialect has against it. The rest of encoding, which takes longer, works for whatever it has read. */
function dialectError({ dialect, record }: FoundRecord, timeZone: string): PlanspanError | undefined {
  try {
    dialect.encode(record.document.root, { timeZone, digest: '', ordinal: 0 })
    return undefined
  } catch (error) {
    if (error instanceof PlanspanError) return error
    throw error
  }
}
