import { context } from '@opentelemetry/api'

import { inOwnSpan } from '../../base/own-spans.js'
import type { RowsRead, SpanReader } from '../../store/index.js'
import { writingsOf } from '../json/index.js'
import { SharedBodies } from './shared-bodies.js'
import { SharedWork } from './shared-work.js'
import { SMALL_BYTES, type Assignment } from './worker-messages.js'
import { RequestRows, TOO_LARGE, TooManyRows } from './request-rows.js'
import { WORK, type ResultOf, type TaskOf, type WorkName } from './work.js'
import type { WorkerPool } from './worker-pool.js'

/**
 * Rebuilds records from stored rows: small ones immediately, large ones in a worker, so that no request is delayed. All
 * who ask for the same large record at once get one result.
 */
export class Rebuilder {
  readonly #reader: SpanReader
  readonly #pool: Pick<WorkerPool, 'run'>
  readonly #smallBytes: number
  readonly #underWay = new SharedWork()
  readonly #bodies = new SharedBodies()

  constructor(reader: SpanReader, pool: Pick<WorkerPool, 'run'>, smallBytes = SMALL_BYTES) {
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
    const rows = this.#rowsOf(name, task)
    // A rule's pattern can run for a long time.
    if ('rules' in task) {
      const progress = await this.#reader.traceProgress(task.plans.map(({ trace }) => trace.traceId))
      return this.#apart(name, task, rows, { bytes: heapOf(progress.values()), signal: signal() })
    }
    try {
      return (await WORK[name](task as never, rows)) as ResultOf<Name>
    } catch (error) {
      if (!(error instanceof TooManyRows)) throw error
      const progress = [...(await this.#reader.traceProgress(rows.traceIds()))]
      const bytes = heapOf(progress.map(([, of]) => of))
      if (NEVER_SHARED.has(name)) return await this.#apart(name, task, rows, { bytes, signal: signal() })
      const key = keyOf({ name, task, progress })
      const work = (until: AbortSignal) =>
        // The rows are read anew, and so are not older than those that the key is about.
        this.#apart(name, task, this.#rowsOf(name, task), { bytes, signal: until })
      await rows.close()
      return this.#bodies.share(await this.#underWay.run(key, signal(), work))
    } finally {
      await rows.close()
    }
  }

  /** Runs a task in a worker. */
  async #apart<Name extends WorkName>(
    name: Name,
    task: TaskOf<Name>,
    rows: RequestRows,
    { bytes, signal }: { readonly bytes: number; readonly signal: AbortSignal },
  ): Promise<ResultOf<Name>> {
    try {
      return await this.#pool.run<ResultOf<Name>>({
        work: { work: name, task } as Assignment,
        signal,
        bytes,
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

  #rowsOf<Name extends WorkName>(name: Name, task: TaskOf<Name>): RequestRows {
    const reader = this.#reader
    const read = readingOf(name, task)
    return new RequestRows({ ...reader, streamRows: (traceIds) => reader.streamRows(traceIds, read) }, this.#smallBytes)
  }
}

/** The heap that the mapping takes for a span and its part of the answer, at most. */
const HEAP_PER_SPAN = 8 << 10

const heapOf = (progress: Iterable<{ readonly rows: number }>): number =>
  [...progress].reduce((total, { rows }) => total + rows * HEAP_PER_SPAN, 0)

/** The tasks whose results are for one client, which has seen a part, or are read once. */
const NEVER_SHARED: ReadonlySet<WorkName> = new Set(['feed', 'spanChanges', 'export'])

/** The same key stands for the same result, except for the time at which the clients asked, and prices. */
const keyOf = (work: object): string =>
  JSON.stringify(work, (key, value: unknown) => {
    if (key === 'now' || key === 'prices') return undefined
    if (typeof value === 'bigint') return String(value)
    return value instanceof Map ? [...value] : value
  })

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
