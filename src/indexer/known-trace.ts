import { isForeign, SpanBuffer } from '../mapping/index.js'
import { ATTR, PENDING, type StoredSpan } from '../semconv/index.js'
import { BULK_ROLES, type RowKey } from '../store/index.js'

const BULK: ReadonlySet<string | undefined> = new Set(BULK_ROLES)

/** A row that was written, and a digest of its values; '' where these are not known. */
export interface KnownRow {
  readonly key: RowKey
  readonly digest: string
}

/** What the indexer holds of a trace between two changes of it. */
export class KnownTrace {
  readonly traceId: string
  readonly rows = new SpanBuffer()
  /** The rows that were written for it, by `keyText`. */
  written: ReadonlyMap<string, KnownRow>
  /** The spans whose end has become known since it was indexed last. */
  readonly ended = new Set<string>()
  /** How long it took to index it last, milliseconds. */
  costMs = 0
  /** When it was indexed last, Unix milliseconds. */
  indexedAt = 0
  /** Whether it is noted as one that the mapping could not read. */
  hasFailed = false
  #hasForeign = false
  #lacksContent = false

  constructor(traceId: string, written: ReadonlyMap<string, KnownRow> = new Map()) {
    this.traceId = traceId
    this.written = written
  }

  /** Adds a stored row. Returns whether something new is known. */
  add(row: StoredSpan, { isWhole }: { readonly isWhole: boolean }): boolean {
    if (!this.rows.add(row)) return false
    this.#hasForeign ||= isForeign(row)
    this.#lacksContent ||=
      !isWhole && BULK.has(row.attributes[ATTR.spanKind]) && row.attributes[ATTR.spanState] !== PENDING
    return true
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
}

/** A row's key as text. */
export const keyText = ({ table, time, rest }: RowKey): string => `${table} ${String(time)} ${rest.join('\n')}`
