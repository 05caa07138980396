import { isForeign, isJudgedByArguments, isOutline, SpanBuffer } from '../mapping/index.js'
import { ATTR, PENDING, type StoredSpan } from '../semconv/index.js'
import { BULK_ROLES, type RowKey } from '../store/index.js'

const BULK: ReadonlySet<string | undefined> = new Set(BULK_ROLES)

/** The number of spans beyond which a trace is indexed by its outline. */
export const MAX_SPANS = 200_000

/** The key of a written row, and a digest of its values; '' if these are unknown. */
export interface KnownRow {
  readonly key: RowKey
  readonly digest: string
}

/** The data that was written for a trace. */
export interface Written {
  /** The rows, by `keyText`. */
  readonly rows: ReadonlyMap<string, KnownRow>
  /** The reason why the mapping could not read the trace as a whole; undefined if it could. */
  readonly failure: string | undefined
}

const NOTHING_WRITTEN: Written = { rows: new Map(), failure: undefined }

/** A trace as the indexer keeps it in memory. */
export class KnownTrace {
  readonly traceId: string
  written: Written
  /** The duration of the last indexing, milliseconds. */
  costMs = 0
  /** The time of the last indexing, Unix milliseconds. */
  indexedAt = 0
  /** The number of spans at the last indexing. */
  indexedSize = 0
  /** Whether an outermost plan has ended, or a wait has begun or ended, since the last indexing. */
  hasMilestone = false
  /** The time at which the first of its plans becomes `interrupted`, by the last written rows, Unix milliseconds. */
  interruptedAt = Number.POSITIVE_INFINITY
  readonly #maxSpans: number
  #rows = new SpanBuffer()
  #later: readonly KnownTrace[] = []
  #planTraceId: string | undefined
  #isForeign = false
  #isLarge = false
  #readsContent = false
  #lacksContent = false

  constructor(traceId: string, maxSpans: number, written: Written = NOTHING_WRITTEN) {
    this.traceId = traceId
    this.#maxSpans = maxSpans
    this.written = written
  }

  /** Adds a stored row. Returns whether the row contains anything new. */
  add(row: StoredSpan, { isWhole }: { readonly isWhole: boolean }): boolean {
    if (this.#isLarge && !isOutline(row)) return false
    if (!this.#rows.add(row)) return false
    this.hasMilestone ||= isMilestone(row)
    this.#isForeign ||= isForeign(row)
    this.#readsContent ||= this.#isForeign || isJudgedByArguments(row)
    this.#lacksContent ||=
      !isWhole && BULK.has(row.attributes[ATTR.spanKind]) && row.attributes[ATTR.spanState] !== PENDING
    if (!this.#isLarge && this.#rows.size > this.#maxSpans) this.#reduce()
    return true
  }

  /** Marks all spans as indexed. */
  noteIndexed(): void {
    this.indexedAt = Date.now()
    this.indexedSize = this.#rows.size
    this.hasMilestone = false
  }

  /** The current row of each span; only the outline of a large trace. */
  get rows(): SpanBuffer {
    return this.#rows
  }

  /** Whether spans of another instrumentation belong to the trace, so that its plan may have several traces. */
  get isForeign(): boolean {
    return this.#isForeign
  }

  /** Sets the traces in which the plan of this trace goes on, and the first trace of that plan, if it has several. */
  attach(later: readonly KnownTrace[], planTraceId: string | undefined): void {
    this.#later = later
    this.#planTraceId = planTraceId
  }

  /** Whether the plan of the trace began in another one, which has its rows. */
  get isLater(): boolean {
    return this.#planTraceId !== undefined && this.#planTraceId !== this.traceId
  }

  /** The current row of each span of the plan, in all its traces. */
  get planRows(): SpanBuffer | readonly StoredSpan[] {
    return this.#later.length === 0 ? this.#rows : [this, ...this.#later].flatMap(({ rows }) => [...rows])
  }

  /** A measure of what is known about the plan. */
  get knowledge(): number {
    return this.#later.reduce((known, { rows }) => known + rows.knowledge, this.#rows.knowledge)
  }

  /** Whether the trace has more than `maxSpans` spans. It stays large. */
  get isLarge(): boolean {
    return this.#isLarge
  }

  /** The number of spans beyond which the trace is large. */
  get maxSpans(): number {
    return this.#maxSpans
  }

  /**
   * Whether the content of its calls is needed but was not read: spans of other instrumentations may contain values
   * that planspan's own spans lack, and a guardrail may name its action by the arguments.
   */
  get needsContent(): boolean {
    return this.#readsContent && this.#lacksContent
  }

  /** Whether the content of all its calls was read. */
  get holdsContent(): boolean {
    return !this.#lacksContent
  }

  /** Drops all rows except the outline. */
  #reduce(): void {
    const outline = new SpanBuffer()
    for (const row of this.#rows) if (isOutline(row)) outline.add(row)
    this.#rows = outline
    this.#isLarge = true
    this.#readsContent = false
    this.#lacksContent = false
  }
}

/** Whether a row shows that an outermost plan has ended, or is that of a wait. */
function isMilestone({ attributes, parentSpanId }: StoredSpan): boolean {
  const kind = attributes[ATTR.spanKind]
  if (kind === 'wait') return true
  if (attributes[ATTR.spanState] === PENDING) return false
  return kind === 'plan' ? (attributes[ATTR.planRootId] ?? '') === (attributes[ATTR.planId] ?? '') : parentSpanId === ''
}

/** Encodes the key of a row as text. */
export const keyText = ({ table, time, rest }: RowKey): string => `${table} ${String(time)} ${rest.join('\n')}`
