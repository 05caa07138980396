import { type IndexerStatus, lagSeconds } from '../../indexer/index.js'
import type { Family } from './exposition.js'

/** The progress of the indexer. */
export const indexerFamilies = (status: IndexerStatus): Family[] => [
  {
    name: 'planspan_indexer_lag_seconds',
    type: 'gauge',
    unit: 'seconds',
    help: 'The age of the oldest part of the span table that is not indexed; 0 without any.',
    samples: [[{}, lagSeconds(status)]],
  },
  {
    name: 'planspan_indexer_pending_rows',
    type: 'gauge',
    help: 'About how many rows of the span table are not indexed.',
    samples: [[{}, status.pendingRows]],
  },
  {
    name: 'planspan_indexer_rows',
    type: 'counter',
    help: 'Rows of the span table that the indexer has read.',
    samples: [[{}, status.indexedRows]],
  },
  {
    name: 'planspan_indexer_written_rows',
    type: 'counter',
    help: 'Rows that the indexer has written.',
    samples: [[{}, status.writtenRows]],
  },
  {
    name: 'planspan_indexer_failed_traces',
    type: 'counter',
    help: 'Traces that the indexer could not read as a whole.',
    samples: [[{}, status.failedTraces]],
  },
]
