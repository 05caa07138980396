import { isForeign, isOutline, SpanBuffer } from '../mapping/index.js'
import { ATTR, PENDING, type StoredSpan } from '../semconv/index.js'
import { BULK_ROLES, type RowKey } from '../store/index.js'

const BULK: ReadonlySet<string | undefined> = new Set(BULK_ROLES)

/** The number of spans beyond which a trace is indexed by its outline. */
export const MAX_SPANS = 200_000

/** A row that was written, and a digest of its values; '' where these are not known. */
export interface KnownRow {
  readonly key: RowKey
  readonly digest: string
}

/** What was written for a trace. */
export interface Written {
  /** The rows, by `keyText`. */
  readonly rows: ReadonlyMap<string, KnownRow>
  /** The reason why the mapping could not read the trace; undefined where it could. */
  readonly failure: string | undefined
}

const NOTHING_WRITTEN: Written = { rows: new Map(), failure: undefined }

/** What the indexer holds of a trace between two changes of it. */
export class KnownTrace {
  readonly traceId: string
  written: Written
  /** The spans whose end has become known since it was indexed last. */
  ended = new Set<string>()
  /** How long it took to index it last, milliseconds. */
  costMs = 0
  /** When it was indexed last, Unix milliseconds. */
  indexedAt = 0
  /** The number of its spans when it was indexed last. */
  indexedSize = 0
  /** Whether an outermost plan has ended, or somebody was waited for, since it was indexed last. */
  isTurned = false
  /** When the first of its plans becomes `interrupted` by the rows written last, Unix milliseconds. */
  interruptedAt = Number.POSITIVE_INFINITY
  readonly #maxSpans: number
  #rows = new SpanBuffer()
  #isLarge = false
  #hasForeign = false
  #lacksContent = false

  constructor(traceId: string, maxSpans: number, written: Written = NOTHING_WRITTEN) {
    this.traceId = traceId
    this.#maxSpans = maxSpans
    this.written = written
  }

  /** Adds a stored row. Returns whether something new is known. */
  add(row: StoredSpan, { isWhole }: { readonly isWhole: boolean }): boolean {
    if (this.#isLarge && !isOutline(row)) return false
    if (!this.#rows.add(row)) return false
    this.isTurned ||= isTurn(row)
    this.#hasForeign ||= isForeign(row)
    this.#lacksContent ||=
      !isWhole && BULK.has(row.attributes[ATTR.spanKind]) && row.attributes[ATTR.spanState] !== PENDING
    if (!this.#isLarge && this.#rows.size > this.#maxSpans) this.#reduce()
    return true
  }

  /** Notes that the rows of all its spans are written. */
  noteIndexed(): void {
    this.indexedAt = Date.now()
    this.indexedSize = this.#rows.size
    this.isTurned = false
    this.ended.clear()
  }

  /** The rows that count; those of the outline alone once the trace is large. */
  get rows(): SpanBuffer {
    return this.#rows
  }

  /** Whether the trace has more spans than are held. It never becomes small again. */
  get isLarge(): boolean {
    return this.#isLarge
  }

  /** The number of spans beyond which the trace is large. */
  get maxSpans(): number {
    return this.#maxSpans
  }

  /**
   * Whether the content of its calls is needed and was not read: other instrumentations may report what planspan's own
   * spans lack.
   */
  get needsContent(): boolean {
    return this.#hasForeign && this.#lacksContent
  }

  /** Whether the content of all its calls was read. */
  get holdsContent(): boolean {
    return !this.#lacksContent
  }

  /** Lets go of all rows but the outline. */
  #reduce(): void {
    const outline = new SpanBuffer()
    for (const row of this.#rows) if (isOutline(row)) outline.add(row)
    this.#rows = outline
    this.#isLarge = true
    this.#hasForeign = false
    this.#lacksContent = false
  }
}

/** Whether a row tells that an outermost plan has ended, or that somebody is or was waited for. */
function isTurn({ attributes, parentSpanId }: StoredSpan): boolean {
  const kind = attributes[ATTR.spanKind]
  if (kind === 'wait') return true
  if (attributes[ATTR.spanState] === PENDING) return false
  return kind === 'plan' ? (attributes[ATTR.planRootId] ?? '') === (attributes[ATTR.planId] ?? '') : parentSpanId === ''
}

/** A row's key as text. */
export const keyText = ({ table, time, rest }: RowKey): string => `${table} ${String(time)} ${rest.join('\n')}`
