import { PlanspanError } from '../../error.js'
import { collectSpans, collectTraces } from '../../store/records/index.js'
import type { StoredSpan } from '../../semconv/index.js'
import type { SpanReader } from '../../store/index.js'
import type { RowReader } from './work.js'

/** The source of the rows of a request. */
export type RowStreams = Pick<SpanReader, 'streamRows' | 'streamOnlyTrace' | 'findAgentTraces'>

/** The rows to read: of traces, or of the only trace that contains a plan. */
export type RowsOf = readonly string[] | { readonly onlyTraceOf: string }

/** The rows of one query that have been read so far. */
interface Rows {
  readonly pieces: Uint8Array[]
  readonly rest: AsyncGenerator<Uint8Array, void, undefined>
  /** The block that is read while the previous block is processed. */
  ahead?: Promise<Uint8Array<ArrayBuffer> | undefined>
}

/** The error message of a record that is too large to rebuild. */
export const TOO_LARGE =
  'The record is too large to be rebuilt: its spans take more than 256 MiB, or more memory than planspan allows itself. ' +
  'They can be read with SQL.'

/** The rows of a request are too many for the main thread. */
export class TooManyRows extends Error {}

/**
 * The maximum size of the transferred rows of one request, bytes. A worker that exceeds its memory limit during a large
 * allocation would crash the process; rebuilding these rows needs less memory.
 */
const MAX_BYTES = 256 << 20
/** The size of transferred blocks of rows, bytes. */
const BLOCK_BYTES = 1 << 20

/**
 * The rows of one request. They are read up to a limit first; more rows are transferred from the beginning on, without
 * querying the store again.
 */
export class RequestRows implements RowReader {
  readonly findAgentTraces: RowReader['findAgentTraces']
  readonly #streams: RowStreams
  /** The queries, by the rows that they read. */
  readonly #queries = new Map<string, Rows>()
  #room: number
  #given = 0

  constructor(streams: RowStreams, maxBytes: number) {
    this.#streams = streams
    this.#room = maxBytes
    this.findAgentTraces = (options) => streams.findAgentTraces(options)
  }

  /** Throws `TooManyRows` if the rows exceed the limit. */
  readTrace(traceId: string): Promise<StoredSpan[]> {
    return collectSpans(this.#limited([traceId]))
  }

  /** Throws as `readTrace` does. */
  readOnlyTrace(planId: string): Promise<StoredSpan[]> {
    return collectSpans(this.#limited({ onlyTraceOf: planId }))
  }

  /** Throws as `readTrace` does. */
  readTraces(traceIds: readonly string[]): Promise<Map<string, StoredSpan[]>> {
    return collectTraces(this.#limited(traceIds))
  }

  /**
   * Returns the next rows of a query, as a block in separate memory; undefined after the last. Throws
   * `record_too_large` if the transferred rows exceed the limit.
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

  /** Returns the ids of the traces whose rows were read. */
  traceIds(): string[] {
    return [...this.#queries].flatMap(([key, { pieces }]) => {
      const of = JSON.parse(key) as RowsOf
      return 'onlyTraceOf' in of ? traceOfFirst(pieces) : of
    })
  }

  /** Aborts all reads in progress. */
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

/** The trace of the first row, which begins with its id: `["…32 digits…",`. */
const traceOfFirst = (pieces: readonly Uint8Array[]): string[] => {
  const [, id] = /^\["([\da-f]{32})"/.exec(Buffer.concat(pieces).toString('latin1', 0, 40)) ?? []
  return id === undefined ? [] : [id]
}

/** Reads the next rows of a query into one block; undefined after the last. */
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
