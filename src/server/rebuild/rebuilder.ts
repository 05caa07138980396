import { context } from '@opentelemetry/api'

import { inOwnSpan } from '../../own-spans.js'
import type { SpanReader } from '../../store/index.js'
import type { Assignment } from './messages.js'
import { writingsOf } from '../search-spans.js'
import { RequestRows, type RowStreams, TOO_LARGE, TooManyRows } from './request-rows.js'
import { WORK, type ResultOf, type TaskOf, type WorkName } from './work.js'
import { SMALL_BYTES } from './small.js'
import type { WorkerPool } from './worker-pool.js'

/**
 * Makes records out of stored rows: small ones at once, large ones in a worker, so that they hold up no other request.
 */
export class Rebuilder {
  readonly #reader: SpanReader
  readonly #pool: WorkerPool
  readonly #smallBytes: number

  constructor(reader: SpanReader, pool: WorkerPool, smallBytes = SMALL_BYTES) {
    this.#reader = reader
    this.#pool = pool
    this.#smallBytes = smallBytes
  }

  /** Does work of a name. Throws as the reader and the pool do. */
  run<Name extends WorkName>(name: Name, task: TaskOf<Name>, signal: () => AbortSignal): Promise<ResultOf<Name>> {
    return inOwnSpan(`rebuild ${name}`, {}, () => this.#run(name, task, signal))
  }

  async #run<Name extends WorkName>(
    name: Name,
    task: TaskOf<Name>,
    signal: () => AbortSignal,
  ): Promise<ResultOf<Name>> {
    const rows = new RequestRows({ ...this.#reader, streamRows: this.#streamFor(name, task) }, this.#smallBytes)
    try {
      return (await WORK[name](task as never, rows)) as ResultOf<Name>
    } catch (error) {
      if (!(error instanceof TooManyRows)) throw error
      return await this.#pool.run<ResultOf<Name>>({
        work: { work: name, task } as Assignment,
        signal: signal(),
        tooLarge: TOO_LARGE,
        // A worker that others have used calls in their context.
        answer: context.bind(context.active(), async (question) => {
          if (question.ask === 'rows') return rows.nextBlock(question.of)
          if (question.ask === 'agentTraces') return rows.findAgentTraces(question.options)
          return undefined
        }),
      })
    } finally {
      await rows.close()
    }
  }

  /** What is shown without payloads is read without them, and what is compared without what was said. */
  #streamFor<Name extends WorkName>(name: Name, task: TaskOf<Name>): RowStreams['streamRows'] {
    const reader = this.#reader
    if (name === 'faults') return reader.streamFaults
    if (name === 'steps') return reader.streamPlans
    if (name === 'outline') return reader.streamOutline
    if (name === 'top') return reader.streamTop
    if (name === 'compare') return reader.streamActions
    if ('text' in task) {
      const writings = writingsOf(task.text)
      return (traceIds) => reader.streamMatches(traceIds, writings)
    }
    if ('spanId' in task) {
      const { spanId } = task
      return (traceIds) => reader.streamSpan(traceIds, spanId)
    }
    const isTree = name === 'structure' || ('fields' in task && task.fields === 'structure')
    return isTree ? reader.streamStructure : reader.streamRows
  }
}
