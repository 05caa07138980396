import type { Worker } from 'node:worker_threads'

import { PlanspanError } from '../../error.js'
import {
  type Assignment,
  type FromWorker,
  type Question,
  type ToWorker,
  fromSentError,
  toSentError,
} from './worker-messages.js'

/** Work for a worker, and the function that answers its questions. */
export interface Errand {
  readonly work: Assignment
  /** Answers a question. Returned blocks of bytes are transferred. Errors fail the work. */
  readonly answer: (question: Question) => Promise<unknown>
  /** Aborts the work and ends the worker. */
  readonly signal: AbortSignal
  /** The estimated memory that the work takes, bytes. @default none worth counting */
  readonly bytes?: number
  /** The error message if the worker runs out of memory. */
  readonly tooLarge: string
}

export interface Outcome {
  /** The result or the error. */
  readonly result: () => unknown
  /** Whether the worker can be reused. */
  readonly isReusable: boolean
}

/** Runs one task in an otherwise idle worker. */
export function converse(worker: Worker, { work, answer, signal, tooLarge }: Errand): Promise<Outcome> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const fail = (error: unknown, isReusable: boolean): void =>
      end({
        isReusable,
        result: () => {
          throw error
        },
      })
    const onMessage = (message: FromWorker): void => {
      if ('ask' in message) void reply(message)
      else if ('failure' in message) fail(explain(fromSentError(message.failure), tooLarge), true)
      else end({ isReusable: true, result: () => message.result })
    }
    const onError = (error: Error): void => fail(explain(error, tooLarge), false)
    const onExit = (code: number): void => fail(new Error(`A worker thread ended with exit code ${code}.`), false)
    const onAbort = (): void => fail(clientGone(), false)
    const send = (message: ToWorker, transfer: ArrayBuffer[] = []): void => worker.postMessage(message, transfer)
    const reply = async (question: Question): Promise<void> => {
      try {
        const given = await answer(question)
        send({ answer: given }, given instanceof Uint8Array ? [given.buffer as ArrayBuffer] : [])
      } catch (error) {
        send({ failure: toSentError(error) })
      }
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal.addEventListener('abort', onAbort)
    send(work, movedWith(work))
  })
}

/** The memory that is transferred with the work. */
function movedWith(assignment: Assignment): ArrayBuffer[] {
  if (assignment.work === 'encode') return [assignment.task.bytes.buffer as ArrayBuffer]
  return assignment.work === 'receive' ? [assignment.task.body.buffer as ArrayBuffer] : []
}

/** The error of aborted work. No client receives it. */
export const clientGone = (): PlanspanError => new PlanspanError('usage', 'The client has gone.')

/** V8's messages for a full heap, and for a text of more than half a billion characters. */
const TOO_LARGE = /^Worker terminated due to reaching memory limit|^Invalid string length$/

const explain = (error: Error, tooLarge: string): Error =>
  TOO_LARGE.test(error.message) ? new PlanspanError('record_too_large', tooLarge, { cause: error }) : error
