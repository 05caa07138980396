import type { Upkeep } from '../../server/index.js'
import type { IndexerState } from '../../wire/index.js'
import type { Finding } from './doctor.js'
import { formatDuration, plural } from '../output/text-layout.js'

type IndexState = NonNullable<Upkeep['index']>

/** An indexer that is at work is not further behind than this, seconds. */
const LATE_SECONDS = 60

/** Checks how far a database is indexed, and by whom. `indexer` is that of the server that answers. */
export function checkIndex(database: string, index: IndexState, indexer?: IndexerState): Finding[] {
  return [...checkLag(database, index, indexer), ...checkFailures(database, index)]
}

function checkLag(database: string, { pendingRows, lagSeconds }: IndexState, indexer?: IndexerState): Finding[] {
  if (indexer?.error !== undefined) {
    return [{ level: 'warn', text: `The server’s indexer fails, and tries again: ${indexer.error} ${STALE}` }]
  }
  if (lagSeconds < LATE_SECONDS) {
    const lag = pendingRows === 0 ? 'are indexed' : `are indexed, up to the last ${formatDuration(lagSeconds * 1000)}`
    return [{ level: 'ok', text: `The spans of the database ${database} ${lag}` }]
  }
  const behind =
    `${plural(pendingRows, 'row')} of ${database}.otel_traces are not indexed, since ${formatDuration(lagSeconds * 1000)}. ` +
    STALE
  const advice = indexer?.running
    ? 'The server’s indexer is at work: run doctor again, and if the rows grow, give the server more CPU.'
    : `No indexer seems to run. \`planspan serve\` indexes while it runs; \`planspan index --database ${database}\` ` +
      'catches up and ends.'
  return [{ level: 'warn', text: `${behind} ${advice}` }]
}

const STALE = 'Lists, SQL views, dashboards and alerts lack what came since; records by id have it.'

function checkFailures(database: string, { failedTraces, failures }: IndexState): Finding[] {
  if (failedTraces === 0) return []
  const named = failures.map(({ traceId, reason }) => `${traceId} (${reason})`).join('; ')
  const more = failedTraces > failures.length ? `; and ${String(failedTraces - failures.length)} more` : ''
  const text =
    `${plural(failedTraces, 'trace')} of the database ${database} could not be indexed as a whole: ${named}${more}. Lists and ` +
    `SQL have their outline at most. \`planspan doctor --trace ID\` shows what is made of each span; ` +
    `\`SELECT * FROM ${database}.index_failures FINAL\` has all reasons. An error of the mapping is a mistake of planspan: ` +
    'report it, and after an upgrade run `planspan index --since TIME`.'
  return [{ level: 'warn', text }]
}
