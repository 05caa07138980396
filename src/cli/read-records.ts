import { PlanspanError } from '../error.js'
import {
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
} from '../mapping/index.js'
import type { Options } from './command.js'

/** The options of the commands that read records. */
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
    description: 'The IANA zone of times that are written without one',
  },
} as const satisfies Options

/** What these options ask of the encoder. Throws `usage` for an unknown dialect. */
export function encodeOptionsOf(format: string, timeZone: string): EncodeOptions {
  if (format !== 'auto' && !isDialectName(format)) {
    throw new PlanspanError(
      'usage',
      `${JSON.stringify(format)} is no dialect. Dialects are ${DIALECT_NAMES.join(', ')}; auto tells by the content.`,
    )
  }
  return { format, timeZone }
}

/** A record of a file, or what is wrong with it. */
export type RecordOrError = { readonly record: EncodedRecord } | BadRecord

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** The records of a file that arrives in pieces, as spans. It goes on after a bad one; an empty file counts as one. */
export async function* readRecords(chunks: Chunks, options: EncodeOptions): AsyncGenerator<RecordOrError> {
  const encode = recordEncoder(options)
  let isEmpty = true
  for await (const found of findRecords(chunks, options.format)) {
    isEmpty = false
    yield 'error' in found ? found : attempt(encode, found)
  }
  if (isEmpty) yield { error: emptyFile(), line: 1 }
}

/** The same records, not encoded; none for an empty file. */
export async function* findRecords(
  chunks: Chunks,
  format: 'auto' | DialectName = 'auto',
): AsyncGenerator<FoundRecord | BadRecord> {
  const stream = new RecordStream(format)
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
