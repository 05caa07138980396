// The entry of a worker thread that rebuilds or encodes large records, or checks large requests. It has no connection
// to the store: it requests rows from the main thread, block by block.
import { once } from 'node:events'
import { parentPort, type MessagePort } from 'node:worker_threads'

import { receive } from '../../otlp/index.js'
import { collectSpans, collectTraces } from '../../store/records/index.js'
import { encodeFile, type ReadyRecord } from './encode-file.js'
import {
  type Assignment,
  type FromWorker,
  type Question,
  type ToWorker,
  fromSentError,
  toSentError,
  ownedBytes,
} from './worker-messages.js'
import type { ReceiveTask } from './request-receiver.js'
import type { RowsOf } from './request-rows.js'
import { WORK, type RowReader } from './work.js'

parentPort?.on('message', (message: ToWorker) => {
  if ('work' in message) void perform(message)
})

async function ask(question: Question, transfer: ArrayBuffer[] = []): Promise<unknown> {
  send(question, transfer)
  const [message] = (await once(parentPort as MessagePort, 'message')) as [Exclude<ToWorker, Assignment>]
  if ('failure' in message) throw fromSentError(message.failure)
  return message.answer
}

async function* rowsOf(of: RowsOf): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const block = (await ask({ ask: 'rows', of })) as Uint8Array | undefined
    if (!block) return
    yield block
  }
}

const reader: RowReader = {
  readTrace: (traceId) => collectSpans(rowsOf([traceId])),
  readOnlyTrace: (planId) => collectSpans(rowsOf({ onlyTraceOf: planId })),
  readTraces: (traceIds) => collectTraces(rowsOf(traceIds)),
  findAgentTraces: async (options) => (await ask({ ask: 'agentTraces', options })) as string[],
}

async function perform(assignment: Assignment): Promise<void> {
  try {
    if (assignment.work === 'receive') return check(assignment.task)
    const result = await (assignment.work === 'encode'
      ? encode(assignment.task)
      : WORK[assignment.work](assignment.task as never, reader))
    send({ result }, result && 'body' in result ? [result.body.buffer] : [])
  } catch (error) {
    send({ failure: toSentError(error) })
  }
}

function check({ encoding, body, options }: ReceiveTask): void {
  const result = receive(encoding, body, options)
  if (!result.ok) return send({ result })
  const { request } = result
  const own = ownedBytes(request.body)
  // A view of shared memory would transfer all of that memory.
  send({ result: { ok: true, request: { ...request, body: own, resource: request.resource?.slice() } } }, [own.buffer])
}

/** The size of transferred output, bytes; small, because the main thread copies it at once. */
const BATCH_BYTES = 1 << 20
const BATCH_RECORDS = 256

async function encode({ bytes, options }: Extract<Assignment, { work: 'encode' }>['task']) {
  let records: ReadyRecord[] = []
  let size = 0
  const give = async (): Promise<void> => {
    await ask({ ask: 'keep', records }, buffersOf(records))
    records = []
    size = 0
  }
  const refusals = await encodeFile(bytes, options, async (record) => {
    records.push(record)
    size += record.bytes
    if (size >= BATCH_BYTES || records.length >= BATCH_RECORDS) await give()
  })
  if (refusals) await give()
  return refusals
}

/** Returns the memory of requests that can be transferred; shared memory is copied. */
const buffersOf = (records: readonly ReadyRecord[]): ArrayBuffer[] =>
  records.flatMap(({ requests }) =>
    requests.flatMap(({ body }) => (body.byteLength === body.buffer.byteLength ? [body.buffer as ArrayBuffer] : [])),
  )

const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)
