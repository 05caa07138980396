import { append } from '../../base/append.js'
import { encodeFile, type EncodeFileOptions, type FileRefusals, type ReadyRecord } from './encode-file.js'
import { type Question, ownedBytes } from './worker-messages.js'
import { SMALL_FILE_BYTES } from './size-limits.js'
import type { WorkerPool } from './worker-pool.js'

/** A file's records, ready for the store, and the report of the rejected records. */
export interface EncodedFile extends FileRefusals {
  readonly ready: readonly ReadyRecord[]
}

const TOO_LARGE =
  'The records of this file are too large to be encoded in the memory that planspan allows itself. Send them in several ' +
  'requests, or with `planspan import`.'

/**
 * Encodes a file of records: a small file immediately, a large file in a worker, to which the bytes are transferred.
 * Undefined if its spans exceed the limit. Throws as `encodeFile` and the pool do.
 */
export async function encodeInTurn(
  pool: WorkerPool,
  bytes: Uint8Array,
  options: EncodeFileOptions,
  signal: AbortSignal,
): Promise<EncodedFile | undefined> {
  const ready: ReadyRecord[] = []
  const refusals =
    bytes.length <= SMALL_FILE_BYTES
      ? await encodeFile(bytes, options, (record) => void ready.push(record))
      : await pool.run<FileRefusals | undefined>({
          work: { work: 'encode', task: { bytes: ownedBytes(bytes), options } },
          signal,
          tooLarge: TOO_LARGE,
          answer: async (question: Question) => {
            if (question.ask === 'keep') append(ready, question.records)
          },
        })
  return refusals && { ...refusals, ready }
}
