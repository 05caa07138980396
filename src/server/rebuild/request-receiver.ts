import { receive, receiveLight, type CheckOptions, type Encoding, type ReceiveResult } from '../../otlp/index.js'
import { ownedBytes } from './worker-messages.js'
import { SMALL_REQUEST_BYTES } from './size-limits.js'
import { WorkerPool } from './worker-pool.js'

/** A request to be checked. */
export interface ReceiveTask {
  readonly encoding: Encoding
  readonly body: Uint8Array
  readonly options: CheckOptions
}

/** Creates the workers for requests. The memory for bodies limits the waiting requests. */
export const requestWorkers = (): WorkerPool => new WorkerPool({ maxWaiting: Number.POSITIVE_INFINITY })

const TOO_LARGE = 'The request takes more memory than planspan allows itself. Send less at once.'

/**
 * Checks a request and prepares it for the store: a small or light one in this thread, any other one in a worker. The
 * bytes move to the worker's memory and back. Throws as the pool does.
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
    // It takes no longer than to end a worker and start the next.
    signal: new AbortController().signal,
    tooLarge: TOO_LARGE,
    answer: async () => undefined,
  })
}
