import { PlanspanError, type PlanspanErrorCode } from '../../error.js'
import type { AgentTracesOptions } from '../../store/index.js'
import type { EncodeFileOptions, ReadyRecord } from './encode-file.js'
import type { ReceiveTask } from './request-receiver.js'
import type { RowsOf } from './request-rows.js'
import type { TaskOf, WorkName } from './work.js'

/** What a worker asks while it works: for what only the main thread can get, or to take what is ready. */
export type Question =
  | { readonly ask: 'rows'; readonly of: RowsOf }
  | { readonly ask: 'agentTraces'; readonly options: AgentTracesOptions }
  | { readonly ask: 'keep'; readonly records: readonly ReadyRecord[] }

/** An error on its way between threads, which would lose its class and its code. */
export interface SentError {
  readonly code: PlanspanErrorCode | undefined
  readonly message: string
  readonly stack: string | undefined
}

/** Work for a worker: something to make out of stored rows, a file to encode, or a request to check. */
export type Assignment =
  | { readonly [Name in WorkName]: { readonly work: Name; readonly task: TaskOf<Name> } }[WorkName]
  | {
      readonly work: 'encode'
      readonly task: { readonly bytes: Uint8Array; readonly options: EncodeFileOptions }
    }
  | { readonly work: 'receive'; readonly task: ReceiveTask }

/** What a worker is sent: work, then an answer to each of its questions. */
export type ToWorker = Assignment | { readonly answer: unknown } | { readonly failure: SentError }

/** What a worker sends: its questions, one at a time, and in the end its result. */
export type FromWorker = Question | { readonly result: unknown } | { readonly failure: SentError }

/** An error as data that another thread can be sent. */
export const toSentError = (error: unknown): SentError => ({
  code: error instanceof PlanspanError ? error.code : undefined,
  message: error instanceof Error ? error.message : String(error),
  stack: error instanceof Error ? error.stack : undefined,
})

/** The error that another thread sent. */
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
