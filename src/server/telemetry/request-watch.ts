import type { RequestTraces } from './request-traces.js'
import type { RequestEnd, RequestLog, RequestSaid } from './request-log.js'

/** A request in progress. */
export interface BegunRequest {
  /** Runs the handler in the context of the request, so that its work is traced below it. */
  run<T>(answer: () => T): T
  end(how: RequestEnd): void
}

/** Passes each request of any protocol to the log and the traces. */
export class RequestWatch {
  readonly #log: RequestLog
  readonly #traces: RequestTraces | undefined

  constructor(log: RequestLog, traces?: RequestTraces) {
    this.#log = log
    this.#traces = traces
  }

  begin(said: RequestSaid): BegunRequest {
    const log = this.#log.begin(said)
    const trace = this.#traces?.begin(said)
    return {
      run: (answer) => (trace ? trace.run(answer) : answer()),
      end(how) {
        log(how)
        trace?.end(how)
      },
    }
  }
}
