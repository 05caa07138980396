import { receive, receiveLight, type CheckOptions, type Encoding, type ReceiveResult } from '../../otlp/index.js'
import { ownedBytes, SMALL_REQUEST_BYTES } from './worker-messages.js'
import { WorkerPool } from './worker-pool.js'

/** A request to be checked. */
export interface ReceiveTask {
  readonly encoding: Encoding
  readonly body: Uint8Array
  readonly options: CheckOptions
}

/** Creates the workers for requests. Their queue is limited only by the memory for bodies. */
export const requestWorkers = (): WorkerPool =>
  new WorkerPool({ maxWaiting: Number.POSITIVE_INFINITY, patienceMs: Number.POSITIVE_INFINITY })

const TOO_LARGE = 'The request takes more memory than planspan allows itself. Send less at once.'

/**
 * Checks a request and prepares it for the store: a small or light request in this thread, any other in a worker. The
 * bytes are transferred to the worker and back. Throws as the pool does.
 */
export async function receiveInTurn(
  pool: WorkerPool,
  { encoding, body, options }: ReceiveTask,
): Promise<ReceiveResult> {
  if (body.length <= SMALL_REQUEST_BYTES) return receive(encoding, body, options)
  const light = receiveLight(encoding, body, options)
  if (light) return light
  return pool.run<ReceiveResult>({
    work: { work: 'receive', task: { encoding, body: ownedBytes(body), options } },
    // This takes no longer than restarting a worker.
    signal: new AbortController().signal,
    tooLarge: TOO_LARGE,
    answer: async () => undefined,
  })
}
