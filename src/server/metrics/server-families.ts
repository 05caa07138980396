import type { Gate } from '../../access/index.js'
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
