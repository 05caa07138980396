/** How far an indexer is. */
export interface IndexerStatus {
  /** When the oldest part that is not indexed was written, Unix seconds; undefined without any. */
  readonly pendingSince: number | undefined
  /** About how many rows of the span table are not indexed. */
  readonly pendingRows: number
  /** Rows of the span table that were read since the start. */
  readonly indexedRows: number
  /** Rows that were written since the start. */
  readonly writtenRows: number
  /** Traces that the mapping could not read as a whole since the start. */
  readonly failedTraces: number
  /** Traces that are indexed again before the rows read so far are noted as indexed. */
  readonly pendingTraces: number
  /** The error after which the indexer retries; undefined while it works. */
  readonly failure: string | undefined
}

/** The status of an indexer that has just started. */
export const NOTHING_INDEXED: IndexerStatus = {
  pendingSince: undefined,
  pendingRows: 0,
  indexedRows: 0,
  writtenRows: 0,
  failedTraces: 0,
  pendingTraces: 0,
  failure: undefined,
}

/** Returns how long the oldest part has waited to be indexed, seconds; 0 without any. */
export const lagSeconds = ({ pendingSince }: IndexerStatus): number =>
  pendingSince === undefined ? 0 : Math.max(0, Date.now() / 1000 - pendingSince)
