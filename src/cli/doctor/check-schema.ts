import type { DatabaseDrift, Upkeep } from '../../server/index.js'
import { checkIndex } from './check-index.js'
import type { Finding } from './doctor.js'

/** Checks all databases of a ClickHouse. */
export const checkDatabases = (databases: readonly DatabaseDrift[]): Finding[] =>
  databases.flatMap(({ database, schema, drift, index }) =>
    schema === 'current'
      ? [...checkSchema(database, drift), ...(index ? checkIndex(database, index) : [])]
      : [{ level: 'warn', text: `The database ${database} ${NOT_CURRENT[schema]}` }],
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

/** Checks whether the database still has what planspan has made. */
export function checkSchema(database: string, drift: Upkeep['drift']): Finding[] {
  const { missingTables, missingViews, changedViews, missingColumns, changedColumns } = drift
  const lost = [...missingTables, ...missingColumns.map((column) => `otel_traces.${column}`)]
  const warn = (text: string): Finding => ({ level: 'warn', text })
  const findings = [
    ...(lost.length === 0
      ? []
      : [
          warn(
            `The database ${database} lacks ${lost.join(', ')}: lists and views lack what came since. Run \`DELETE FROM ` +
              `${database}.planspan_migrations WHERE true\` in ClickHouse and start the server again: it makes them, and ` +
              'fills them from the spans.',
          ),
        ]),
    ...(missingViews.length === 0
      ? []
      : [
          warn(
            `The database ${database} lacks the views ${missingViews.join(', ')}. Start the server again: it makes them.`,
          ),
        ]),
    ...(changedViews.length === 0
      ? []
      : [
          warn(
            `The views ${changedViews.join(', ')} of the database ${database} are not those of this planspan. Drop them and ` +
              'start the server again, which makes them; a view of your own needs another name.',
          ),
        ]),
    ...changedColumns.map(({ name, is, wanted }) =>
      warn(
        `The column ${name} of ${database}.otel_traces is ${is}, and planspan makes it ${wanted}: what is filtered and ` +
          `counted by it may be wrong. \`ALTER TABLE ${database}.otel_traces MODIFY COLUMN ${name} ${wanted}\` in ClickHouse ` +
          'changes it back' +
          (wanted.includes(' MATERIALIZED ')
            ? `, and \`ALTER TABLE ${database}.otel_traces MATERIALIZE COLUMN ${name}\` what is stored.`
            : '.'),
      ),
    ),
  ]
  return findings.length > 0
    ? findings
    : [{ level: 'ok', text: `The database ${database} has all tables, columns and views` }]
}
