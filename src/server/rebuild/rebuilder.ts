import { context } from '@opentelemetry/api'

import { inOwnSpan } from '../../base/own-spans.js'
import type { RowsRead, SpanReader } from '../../store/index.js'
import { writingsOf } from '../json/index.js'
import { SMALL_BYTES, type Assignment } from './worker-messages.js'
import { RequestRows, TOO_LARGE, TooManyRows } from './request-rows.js'
import { WORK, type ResultOf, type TaskOf, type WorkName } from './work.js'
import type { WorkerPool } from './worker-pool.js'

/**
 * Rebuilds records from stored rows: small ones immediately, large ones in a worker, so that no request is delayed.
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

  /** Runs the named task. Throws as the reader and the pool do. */
  run<Name extends WorkName>(name: Name, task: TaskOf<Name>, signal: () => AbortSignal): Promise<ResultOf<Name>> {
    return inOwnSpan(`rebuild ${name}`, {}, () => this.#run(name, task, signal))
  }

  async #run<Name extends WorkName>(
    name: Name,
    task: TaskOf<Name>,
    signal: () => AbortSignal,
  ): Promise<ResultOf<Name>> {
    const reader = this.#reader
    const read = readingOf(name, task)
    const rows = new RequestRows(
      { ...reader, streamRows: (traceIds) => reader.streamRows(traceIds, read) },
      this.#smallBytes,
    )
    try {
      return (await WORK[name](task as never, rows)) as ResultOf<Name>
    } catch (error) {
      if (!(error instanceof TooManyRows)) throw error
      return await this.#pool.run<ResultOf<Name>>({
        work: { work: name, task } as Assignment,
        signal: signal(),
        tooLarge: TOO_LARGE,
        // A reused worker calls back in the context of its earlier use.
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
}

/** Returns how to read the rows: results without payloads are read without them. */
function readingOf<Name extends WorkName>(name: Name, task: TaskOf<Name>): RowsRead {
  if (name === 'faults' || name === 'outline' || name === 'top') return { rows: name }
  if (name === 'steps') return { rows: 'plans' }
  if (name === 'compare') return { rows: 'actions' }
  if ('text' in task) return { rows: 'matches', writings: writingsOf(task.text) }
  if ('spanId' in task) return { rows: 'one', spanId: task.spanId }
  const isTree = name === 'structure' || ('fields' in task && task.fields === 'structure')
  return { rows: isTree ? 'tree' : 'whole' }
}
