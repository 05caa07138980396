import { BodyReader } from './http/index.js'
import { UntakenSignals } from './intake/index.js'
import { requestWorkers, WorkerPool } from './rebuild/index.js'
import type { Ask } from './mcp-route.js'

/** What the apps of one server share: memory for requests, threads and the front door. None of it keeps data. */
export interface Shared {
  /** Rebuild records. */
  readonly workers: WorkerPool
  /** Check requests: others than those that rebuild records, so that no span waits for a record. */
  readonly checkers: WorkerPool
  readonly bodies: BodyReader
  readonly untaken: UntakenSignals
  /** Asks the server itself, as anybody who shows the same credentials. */
  readonly ask: Ask
}

export const makeShared = (ask: Ask): Shared => ({
  workers: new WorkerPool(),
  checkers: requestWorkers(),
  bodies: new BodyReader(),
  untaken: new UntakenSignals(),
  ask,
})

/** Ends the threads when they are done. */
export function closeShared({ workers, checkers }: Shared): void {
  workers.close()
  checkers.close()
}
