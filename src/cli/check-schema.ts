import type { Upkeep } from '../server/index.js'
import type { Finding } from './doctor.js'

/** Checks whether the database still has what planspan has made. */
export function checkSchema(database: string, drift: Upkeep['drift']): Finding[] {
  const { missingTables, missingViews, changedViews, missingColumns } = drift
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
  ]
  return findings.length > 0
    ? findings
    : [{ level: 'ok', text: `The database ${database} has all tables, columns and views` }]
}
