import type { DatabaseDrift, Upkeep } from '../../server/index.js'
import type { IndexerState } from '../../wire/index.js'
import { formatDuration, plural } from '../output/text-layout.js'
import { type Finding, ok, warn } from './finding.js'

/** Checks all databases of a ClickHouse. */
export const checkDatabases = (databases: readonly DatabaseDrift[]): Finding[] =>
  databases.flatMap(({ database, schema, drift, index }) =>
    schema === 'current'
      ? [...checkSchema(database, drift), ...(index ? checkIndex(database, index) : [])]
      : [warn(`The database ${database} ${NOT_CURRENT[schema]}`)],
  )

const NOT_CURRENT: Readonly<Record<Exclude<DatabaseDrift['schema'], 'current'>, string>> = {
  behind:
    'lacks a version of the schema. A server applies it when it starts, or when a token for the database is first ' +
    'used; on a cluster `planspan schema --cluster NAME --apply` does.',
  newer: 'has a newer schema than this planspan supports: use the planspan that created it, or a newer one.',
  development:
    'was created by a development build, whose schema this planspan does not upgrade. ' +
    'docs/versions.md#data-of-a-development-build shows how to move its plans.',
}

/** Checks whether the database still has planspan's tables, views and columns, unchanged. */
export function checkSchema(database: string, drift: Upkeep['drift']): Finding[] {
  const { missingTables, missingViews, changedViews, missingColumns, changedColumns } = drift
  const lost = [...missingTables, ...missingColumns]
  const findings = [
    ...(lost.length === 0
      ? []
      : [
          warn(
            `The database ${database} lacks ${lost.join(', ')}, so lists and views are incomplete. Run \`DELETE FROM ` +
              `${database}.planspan_migrations WHERE true\` in ClickHouse and restart the server: it creates them, and fills ` +
              'them from the spans.',
          ),
        ]),
    ...(missingViews.length === 0
      ? []
      : [
          warn(
            `The database ${database} lacks the views ${missingViews.join(', ')}. Restart the server to create them.`,
          ),
        ]),
    ...(changedViews.length === 0
      ? []
      : [
          warn(
            `The views ${changedViews.join(', ')} of the database ${database} differ from those of this planspan. Drop them ` +
              'and restart the server, which creates them; give views of your own other names.',
          ),
        ]),
    ...changedColumns.map(({ table, name, is, wanted }) =>
      warn(
        `The column ${name} of ${database}.${table} is ${is}, but planspan creates it as ${wanted}: filters and counts that ` +
          `use it may be wrong. \`ALTER TABLE ${database}.${table} MODIFY COLUMN ${name} ${wanted}\` in ClickHouse restores it` +
          (wanted.includes(' MATERIALIZED ')
            ? `, and \`ALTER TABLE ${database}.${table} MATERIALIZE COLUMN ${name}\` restores the stored values.`
            : '.'),
      ),
    ),
  ]
  return findings.length > 0 ? findings : [ok(`The database ${database} has all tables, columns and views`)]
}

type IndexState = NonNullable<Upkeep['index']>

/** The lag of a working indexer stays below this, seconds. */
const LATE_SECONDS = 60

/** Checks how far a database is indexed, and for failures. `indexer` is the indexer of the server. */
export function checkIndex(database: string, index: IndexState, indexer?: IndexerState): Finding[] {
  return [...checkLag(database, index, indexer), ...checkFailures(database, index)]
}

function checkLag(database: string, { pendingRows, lagSeconds }: IndexState, indexer?: IndexerState): Finding[] {
  if (indexer?.error !== undefined) {
    return [warn(`The server’s indexer fails and retries: ${indexer.error} ${STALE}`)]
  }
  const lag = formatDuration(lagSeconds * 1000)
  if (lagSeconds < LATE_SECONDS) {
    return [
      ok(`The spans of the database ${database} are indexed${pendingRows === 0 ? '' : `, except for the last ${lag}`}`),
    ]
  }
  const advice = indexer?.running
    ? 'The server’s indexer is running: run doctor again, and if the number of rows grows, give the server more CPU.'
    : `No indexer seems to run. \`planspan serve\` indexes while it runs; \`planspan index --database ${database}\` ` +
      'catches up and ends.'
  return [
    warn(`${plural(pendingRows, 'row')} of ${database}.otel_traces are not indexed, for ${lag}. ${STALE} ${advice}`),
  ]
}

const STALE = 'Lists, SQL views, dashboards and alerts lack the newer spans; records by id contain them.'

function checkFailures(database: string, { failedTraces, failures }: IndexState): Finding[] {
  if (failedTraces === 0) return []
  const named = failures.map(({ traceId, reason }) => `${traceId} (${reason})`).join('; ')
  const more = failedTraces > failures.length ? `; and ${String(failedTraces - failures.length)} more` : ''
  return [
    warn(
      `${plural(failedTraces, 'trace')} of the database ${database} could not be fully indexed: ${named}${more}. Lists and ` +
        `SQL contain their outline at most. \`planspan doctor --trace ID\` shows how each span is read; ` +
        `\`SELECT * FROM ${database}.index_failures FINAL\` lists all reasons. A mapping error is a bug of planspan: ` +
        'report it, and after an upgrade run `planspan index --since TIME`.',
    ),
  ]
}
