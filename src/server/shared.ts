import { BodyReader } from './http/index.js'
import { requestWorkers, WorkerPool } from './rebuild/index.js'
import type { Ask } from './mcp-route.js'

/** The parts that the apps of a server share: request memory, threads and request guards. They store no data. */
export interface Shared {
  /** Rebuild records. */
  readonly workers: WorkerPool
  /** Check requests. Separate from the workers that rebuild records, so that spans do not wait for records. */
  readonly checkers: WorkerPool
  readonly bodies: BodyReader
  /** Sends a request to the server itself, with the given credentials. */
  readonly ask: Ask
}

export const makeShared = (ask: Ask): Shared => ({
  workers: new WorkerPool(),
  checkers: requestWorkers(),
  bodies: new BodyReader(),
  ask,
})

/** Ends the threads when they are done. */
export function closeShared({ workers, checkers }: Shared): void {
  workers.close()
  checkers.close()
}
