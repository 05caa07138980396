/** The progress of an indexer. */
export interface IndexerStatus {
  /** The write time of the oldest part that is not indexed, Unix seconds; undefined if all parts are indexed. */
  readonly pendingSince: number | undefined
  /** The approximate number of rows of the span table that are not indexed. */
  readonly pendingRows: number
  /** The number of rows of the span table that were read since the start. */
  readonly indexedRows: number
  /** The number of rows that were written since the start. */
  readonly writtenRows: number
  /** The number of traces that the mapping could not read as a whole since the start. */
  readonly failedTraces: number
  /** The number of traces to index again before the rows read so far are recorded as indexed. */
  readonly pendingTraces: number
  /** The error after which the indexer retries; undefined without an error. */
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

/** Returns how long the oldest part has waited to be indexed, seconds; 0 if all parts are indexed. */
export const lagSeconds = ({ pendingSince }: IndexerStatus): number =>
  pendingSince === undefined ? 0 : Math.max(0, Date.now() / 1000 - pendingSince)
