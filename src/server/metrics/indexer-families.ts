import type { IndexerStatus } from '../../indexer/index.js'
import type { Family } from './exposition.js'

/** The metrics of the indexer. */
export const indexerFamilies = ({ lagSeconds, pendingRows, failedTraces }: IndexerStatus): Family[] => [
  {
    name: 'planspan_indexer_lag_seconds',
    type: 'gauge',
    unit: 'seconds',
    help: 'How long the oldest stored span waits that is not indexed; lists, SQL and alerts are that far behind.',
    samples: [[{}, lagSeconds]],
  },
  {
    name: 'planspan_indexer_pending_rows',
    type: 'gauge',
    help: 'Stored rows of spans that are not indexed.',
    samples: [[{}, pendingRows]],
  },
  {
    name: 'planspan_indexer_failed_traces',
    type: 'counter',
    help: 'Traces that could not be indexed; the table index_failures has the reasons.',
    samples: [[{}, failedTraces]],
  },
]
