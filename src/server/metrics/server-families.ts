import process from 'node:process'

import type { Gate } from '../../access/index.js'
import { PLANSPAN_VERSION } from '../../base/version.js'
import { lagSeconds, type IndexerStatus } from '../../indexer/index.js'
import type { ListFeeds, PlanFeeds } from '../live/index.js'
import type { WorkerPool } from '../rebuild/index.js'
import type { Family } from './exposition.js'

/** The feeds of an app. */
export interface Watched {
  readonly feeds: Pick<PlanFeeds, 'watchers'>
  readonly lists: Pick<ListFeeds, 'watchers'>
}

/** The parts that all apps of a server share. */
export interface Host {
  readonly workers: Pick<WorkerPool, 'underWay'>
  readonly checkers: Pick<WorkerPool, 'underWay'>
  /** Only on a server with tokens. */
  readonly gate?: Pick<Gate, 'report'> | undefined
}

export const watcherFamilies = ({ feeds, lists }: Watched): Family[] => [
  {
    name: 'planspan_watchers',
    type: 'gauge',
    help: 'Clients that follow a plan or a list by its events.',
    samples: [
      [{ of: 'plan' }, feeds.watchers],
      [{ of: 'list' }, lists.watchers],
    ],
  },
]

export function hostFamilies({ workers, checkers, gate }: Host): Family[] {
  const report = gate?.report
  return [
    {
      name: 'planspan_worker_tasks',
      type: 'gauge',
      help: 'Large records and requests that worker threads have, or that wait for one.',
      samples: [
        [{ of: 'record' }, workers.underWay],
        [{ of: 'request' }, checkers.underWay],
      ],
    },
    {
      name: 'planspan_access_refused',
      type: 'counter',
      help: 'Requests that were not let in, by why.',
      samples: Object.entries(report?.refused ?? {}).map(([reason, requests]) => [{ reason }, requests]),
    },
    {
      name: 'planspan_tokens_end_soon',
      type: 'gauge',
      help: 'Tokens that end within two weeks, or have ended.',
      samples: report ? [[{}, report.endSoon]] : [],
    },
  ]
}

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

/** The process metrics of Prometheus' own clients. */
export function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return [
    {
      name: 'planspan_build_info',
      type: 'gauge',
      help: 'The version of planspan and of Node.js.',
      samples: [[{ version: PLANSPAN_VERSION, node: process.versions.node }, 1]],
    },
    {
      name: 'process_cpu_seconds',
      type: 'counter',
      unit: 'seconds',
      help: 'What the process has used of processors.',
      samples: [[{}, (user + system) / 1e6]],
    },
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'The memory of the process, without ClickHouse’s.',
      samples: [[{}, rss]],
    },
    {
      name: 'nodejs_heap_size_used_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'What of it JavaScript’s values take.',
      samples: [[{}, heapUsed]],
    },
    {
      name: 'process_start_time_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'When the process began, since 1970.',
      samples: [[{}, performance.timeOrigin / 1000]],
    },
  ]
}
