import { PlanspanError } from '../../error.js'
import {
  checkTimeZone,
  DIALECT_NAMES,
  emptyFile,
  isDialectName,
  recordEncoder,
  RecordStream,
  type BadRecord,
  type DialectName,
  type EncodedRecord,
  type EncodeOptions,
  type FoundRecord,
  type RecordStreamOptions,
} from '../../mapping/index.js'
import type { Options } from '../command.js'

/** The options of commands that read files of records. */
export const recordOptions = {
  format: {
    type: 'string',
    valueHint: 'auto|DIALECT',
    default: 'auto',
    description: `The dialect of the records: ${DIALECT_NAMES.join(', ')}`,
  },
  'time-zone': {
    type: 'string',
    valueHint: 'ZONE',
    default: 'UTC',
    description: 'The IANA time zone of times without one',
  },
} as const satisfies Options

/** Converts command line options to the encoder's. Throws `usage` for an unknown dialect or time zone. */
export function encodeOptionsOf(format: string, timeZone: string): EncodeOptions {
  if (format !== 'auto' && !isDialectName(format)) {
    throw new PlanspanError(
      'usage',
      `${JSON.stringify(format)} is not a dialect. Dialects are ${DIALECT_NAMES.join(', ')}; auto detects it by the content.`,
    )
  }
  checkTimeZone(timeZone)
  return { format, timeZone }
}

/** An encoded record of a file, or the error of an invalid one. */
export type RecordOrError = { readonly record: EncodedRecord } | BadRecord

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Reads a file in chunks and encodes its records as spans. Continues after an invalid record; an empty file is invalid.
 */
export async function* readRecords(chunks: Chunks, options: EncodeOptions): AsyncGenerator<RecordOrError> {
  const encode = recordEncoder(options)
  let isEmpty = true
  for await (const found of findRecords(chunks, options.format)) {
    isEmpty = false
    yield 'error' in found ? found : attempt(encode, found)
  }
  if (isEmpty) yield { error: emptyFile(), line: 1 }
}

/** Reads a file in chunks and finds its records, without encoding them; an empty file has none. */
export async function* findRecords(
  chunks: Chunks,
  format: 'auto' | DialectName = 'auto',
  options: RecordStreamOptions = {},
): AsyncGenerator<FoundRecord | BadRecord> {
  const stream = new RecordStream(format, options)
  for await (const chunk of chunks) yield* stream.push(chunk)
  yield* stream.end()
}

function attempt(encode: (found: FoundRecord) => EncodedRecord, found: FoundRecord): RecordOrError {
  try {
    return { record: encode(found) }
  } catch (error) {
    if (error instanceof PlanspanError && error.code === 'invalid_record') return { error, line: found.line }
    throw error
  }
}
