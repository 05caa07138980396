import { PlanspanError, type PlanspanErrorCode } from '../../error.js'
import type { AgentTracesOptions } from '../../store/index.js'
import type { EncodeFileOptions, ReadyRecord } from './encode-file.js'
import type { ReceiveTask } from './request-receiver.js'
import type { RowsOf } from './request-rows.js'
import type { TaskOf, WorkName } from './work.js'

/** A worker's questions: requests for data that only the main thread can read, or for delivery of finished data. */
export type Question =
  | { readonly ask: 'rows'; readonly of: RowsOf }
  | { readonly ask: 'agentTraces'; readonly options: AgentTracesOptions }
  | { readonly ask: 'keep'; readonly records: readonly ReadyRecord[] }

/** An error as sent between threads, which would lose its class and code otherwise. */
interface SentError {
  readonly code: PlanspanErrorCode | undefined
  readonly message: string
  readonly stack: string | undefined
}

/** Work for a worker: a task over stored rows, a file to encode, or a request to check. */
export type Assignment =
  | { readonly [Name in WorkName]: { readonly work: Name; readonly task: TaskOf<Name> } }[WorkName]
  | {
      readonly work: 'encode'
      readonly task: { readonly bytes: Uint8Array; readonly options: EncodeFileOptions }
    }
  | { readonly work: 'receive'; readonly task: ReceiveTask }

/** A message to a worker: work, then an answer to each of its questions. */
export type ToWorker = Assignment | { readonly answer: unknown } | { readonly failure: SentError }

/** A message from a worker: questions, one at a time, and finally its result. */
export type FromWorker = Question | { readonly result: unknown } | { readonly failure: SentError }

/** Converts an error to data that can be sent to another thread. */
export const toSentError = (error: unknown): SentError => ({
  code: error instanceof PlanspanError ? error.code : undefined,
  message: error instanceof Error ? error.message : String(error),
  stack: error instanceof Error ? error.stack : undefined,
})

/** Restores an error that another thread sent. */
export function fromSentError({ code, message, stack }: SentError): Error {
  if (code !== undefined) return new PlanspanError(code, message)
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}

/** Bytes that fill a buffer of their own, so that it can be moved to another thread. */
export const ownedBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
    ? (bytes as Uint8Array<ArrayBuffer>)
    : bytes.slice()

/** The maximum size of rows that the main thread processes itself, bytes; it takes a few milliseconds. */
export const SMALL_BYTES = 256 << 10

/** The same for a trace request, in which a span may take only two bytes. */
export const SMALL_REQUEST_BYTES = 64 << 10

/** The same for a file, in which a span may take only three bytes and needs more time. */
export const SMALL_FILE_BYTES = 4 << 10
