import { PlanspanError } from '../../error.js'
import { type Dialect, type DialectName, DIALECTS, detectDialect } from '../dialects/index.js'
import { type Framing, ValueCount } from '../json/index.js'
import { LineSplitter } from './line-splitter.js'
import { RecordSplitter, type RecordBytes } from './record-splitter.js'
import {
  decodeUtf8,
  eventStreamItem,
  framedRecord,
  isEventStream,
  parseRecord,
  type RecordText,
} from './record-text.js'

/** A record of a stream. */
export interface FoundRecord {
  readonly dialect: Dialect
  readonly record: RecordText
  /** The line on which the record starts, from 1. */
  readonly line: number
}

/** A malformed record in a stream. */
export interface BadRecord {
  readonly error: PlanspanError
  readonly line: number
}

export interface RecordStreamOptions {
  /**
   * Whether to read a file that seems to have one record per line by line, so that a bad line does not affect others.
   * The source systems' own scripts read such files that way.
   * @default false
   */
  readonly byLine?: boolean
  /** The maximum number of JSON values in a record. @default no limit */
  readonly maxValues?: number | undefined
}

/** The number of bytes that distinguish server-sent events from JSON. */
const START_BYTES = 256

/**
 * Reads the records of a file that arrives in chunks, holding one record at a time. A framed file is one record, and is
 * held completely. After a malformed record it continues with the next.
 */
export class RecordStream {
  #splitter: RecordSplitter | LineSplitter
  readonly #format: Dialect | undefined
  readonly #maxValues: number | undefined
  /** Known once the first record is. */
  #framing: { readonly dialect: Dialect | undefined; readonly framing: Framing } | undefined
  readonly #framed: Uint8Array[] = []
  #start: Uint8Array | undefined = new Uint8Array()
  /** Whether no valid record was read yet. */
  #isFirst = true
  #isFirstLine = true

  constructor(format: 'auto' | DialectName = 'auto', { byLine = false, maxValues }: RecordStreamOptions = {}) {
    this.#splitter = byLine ? new LineSplitter() : new RecordSplitter()
    this.#format = format === 'auto' ? undefined : DIALECTS[format]
    this.#maxValues = maxValues
    const framing = this.#format?.style('').framing
    if (framing) this.#framing = { dialect: this.#format, framing }
  }

  /** Yields the records that end in a chunk. The chunk may be reused afterwards. */
  *push(chunk: Uint8Array): Generator<FoundRecord | BadRecord> {
    if (this.#start) this.#readStart(chunk)
    else this.#feed(chunk)
    yield* this.#records({ isEnd: false })
  }

  /** Yields the records that end with the stream. */
  *end(): Generator<FoundRecord | BadRecord> {
    if (this.#start) this.#decide(this.#start)
    yield* this.#records({ isEnd: true })
    if (this.#framing) yield this.#framedRecord(this.#framing.framing)
  }

  #readStart(chunk: Uint8Array): void {
    const start = joined([this.#start ?? new Uint8Array(), chunk])
    if (start.length < START_BYTES) this.#start = start
    else this.#decide(start)
  }

  #decide(start: Uint8Array): void {
    this.#start = undefined
    if (!this.#format && isEventStream(start)) this.#framing = { dialect: undefined, framing: 'sse' }
    this.#feed(start)
  }

  #feed(chunk: Uint8Array): void {
    if (this.#framing) this.#framed.push(chunk.slice())
    else this.#splitter.push(chunk)
  }

  *#records(at: { readonly isEnd: boolean }): Generator<FoundRecord | BadRecord> {
    while (!this.#framing && !this.#start) {
      const cut = this.#splitter.next(at)
      if (!cut) return
      const read = this.#read(cut)
      if (read) yield read
    }
  }

  /** Returns undefined for the first record of a framed file, and for a line that begins a longer record. */
  #read(cut: RecordBytes): FoundRecord | BadRecord | undefined {
    const { line } = cut
    try {
      const record = parseRecord(cut, new ValueCount(this.#maxValues))
      const dialect = this.#format ?? detectDialect(record.document.root)
      const { framing } = dialect.style('')
      if (!framing) {
        this.#isFirst = false
        return { dialect, record, line }
      }
      if (!this.#isFirst) throw strayRecord(dialect)
      this.#framing = { dialect, framing }
      this.#framed.push(cut.bytes, this.#splitter.rest())
      return undefined
    } catch (error) {
      return this.#beginsDocument(cut, error) ? this.#readDocuments(cut) : badRecord(error, line)
    } finally {
      this.#isFirstLine = false
    }
  }

  /** Whether a malformed first line is the beginning of a record that continues on the next line. */
  #beginsDocument({ bytes }: RecordBytes, error: unknown): boolean {
    if (!this.#isFirstLine || !(this.#splitter instanceof LineSplitter)) return false
    const isWhole = error instanceof PlanspanError && error.code === 'unknown_dialect'
    return !isWhole && /^\uFEFF?\s*[{[]/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  }

  #readDocuments({ bytes }: RecordBytes): undefined {
    const rest = this.#splitter.rest()
    this.#splitter = new RecordSplitter()
    this.#splitter.push(bytes)
    this.#splitter.push(rest)
  }

  #framedRecord(framing: Framing): FoundRecord | BadRecord {
    try {
      const text = decodeUtf8(joined(this.#framed))
      const values = new ValueCount(this.#maxValues)
      const dialect = this.#framing?.dialect ?? detectDialect(eventStreamItem(text), { isEventStream: true })
      return { dialect, record: framedRecord(text, framing, values), line: 1 }
    } catch (error) {
      return badRecord(error, 1)
    }
  }
}

function badRecord(error: unknown, line: number): BadRecord {
  if (error instanceof PlanspanError) return { error, line }
  throw error
}

const strayRecord = ({ name }: Dialect): PlanspanError =>
  new PlanspanError(
    'invalid_record',
    `Unexpected line of ${name} among other records: write each session to its own file.`,
  )

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
