import { PlanspanError } from '../../error.js'
import { byTrace, collectSpans } from '../../store/records/index.js'
import type { StoredSpan } from '../../semconv/index.js'
import type { SpanReader } from '../../store/index.js'
import type { RowReader } from './work.js'

/** Where the rows of a request come from. */
export type RowStreams = Pick<SpanReader, 'streamRows' | 'streamOnlyTrace' | 'findAgentTraces'>

/** Which rows are read: those of traces, or of the only trace that has a plan. */
export type RowsOf = readonly string[] | { readonly onlyTraceOf: string }

/** The rows of one query, as far as they have been read. */
interface Rows {
  readonly pieces: Uint8Array[]
  readonly rest: AsyncGenerator<Uint8Array, void, undefined>
  /** The block that is gathered while the one before is worked on. */
  ahead?: Promise<Uint8Array<ArrayBuffer> | undefined>
}

/** What is said of a record that is not rebuilt. */
export const TOO_LARGE =
  'The record is too large to be rebuilt: its spans take more than 256 MiB, or more memory than planspan allows itself. ' +
  'They can be read with SQL.'

/** The rows of a request are too many for the main thread. */
export class TooManyRows extends Error {}

/**
 * The largest rows that are given away for one request, bytes. A worker that ran into its limit of memory in the middle
 * of one large allocation would take the process with it: these rows are made records of with less.
 */
const MAX_BYTES = 256 << 20
/** The size of the blocks in which rows are given away, bytes. */
const BLOCK_BYTES = 1 << 20

/**
 * The rows of one request: first read up to a limit, and where they are more, given away from their beginning on,
 * without asking the store again.
 */
export class RequestRows implements RowReader {
  readonly findAgentTraces: RowReader['findAgentTraces']
  readonly #streams: RowStreams
  /** By what is read. */
  readonly #queries = new Map<string, Rows>()
  #room: number
  #given = 0

  constructor(streams: RowStreams, maxBytes: number) {
    this.#streams = streams
    this.#room = maxBytes
    this.findAgentTraces = (options) => streams.findAgentTraces(options)
  }

  /** Throws `TooManyRows` when all that was read exceeds the limit. */
  readTrace(traceId: string): Promise<StoredSpan[]> {
    return collectSpans(this.#limited([traceId]))
  }

  /** Throws as `readTrace` does. */
  readOnlyTrace(planId: string): Promise<StoredSpan[]> {
    return collectSpans(this.#limited({ onlyTraceOf: planId }))
  }

  /** Throws as `readTrace` does. */
  async readTraces(traceIds: readonly string[]): Promise<Map<string, StoredSpan[]>> {
    return byTrace(await collectSpans(this.#limited(traceIds)))
  }

  /**
   * The next rows of a query, a block in memory of its own; undefined after the last. Throws `record_too_large` when
   * all that was given away is too much.
   */
  async nextBlock(of: RowsOf): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const rows = this.#rowsOf(of)
    const block = await (rows.ahead ?? gather(rows))
    if (!block) {
      this.#queries.delete(keyOf(of))
      return undefined
    }
    this.#given += block.length
    if (this.#given > MAX_BYTES) throw new PlanspanError('record_too_large', TOO_LARGE)
    rows.ahead = gather(rows)
    // The reader of that block handles the rejection.
    rows.ahead.catch(() => {})
    return block
  }

  /** Ends all reading that is under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#queries.values()].map(({ rest }) => rest.return()))
  }

  async *#limited(of: RowsOf): AsyncGenerator<Uint8Array, void, undefined> {
    const { pieces, rest } = this.#rowsOf(of)
    yield* pieces
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      pieces.push(next.value)
      this.#room -= next.value.length
      if (this.#room < 0) throw new TooManyRows()
      yield next.value
    }
  }

  #rowsOf(of: RowsOf): Rows {
    const rows = this.#queries.get(keyOf(of)) ?? { pieces: [], rest: this.#stream(of) }
    this.#queries.set(keyOf(of), rows)
    return rows
  }

  #stream(of: RowsOf): Rows['rest'] {
    return 'onlyTraceOf' in of ? this.#streams.streamOnlyTrace(of.onlyTraceOf) : this.#streams.streamRows(of)
  }
}

/** The next rows of a query in one block; undefined after the last. */
async function gather({ pieces, rest }: Rows): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let size = pieces.reduce((total, { length }) => total + length, 0)
  while (size < BLOCK_BYTES) {
    const { value } = await rest.next()
    if (!value) break
    pieces.push(value)
    size += value.length
  }
  if (size === 0) return undefined
  const block = new Uint8Array(size)
  let at = 0
  for (const piece of pieces.splice(0)) {
    block.set(piece, at)
    at += piece.length
  }
  return block
}

const keyOf = (of: RowsOf): string => JSON.stringify(of)
