import { PlanspanError } from '../../error.js'
import { schemaDdl, migrateCluster, type ClusterReport, type MigrateClusterOptions } from '../../server/index.js'
import { defineCommand } from '../command.js'
import { EXIT, exitCodeOf, type ExitCode } from '../exit-code.js'
import { wholeNumber } from '../option-values.js'
import { print, note, styled } from '../output/terminal.js'
import { clickhouseUrl } from './store-options.js'

/** `planspan schema`: prints the SQL of the store's tables and views, or creates them on every host of a cluster. */
export const command = defineCommand({
  options: {
    cluster: {
      type: 'string',
      valueHint: 'NAME',
      description: 'For this ClickHouse cluster: Replicated tables below Distributed tables',
    },
    apply: { type: 'boolean', description: "Create or upgrade them on each of the cluster's hosts" },
    hosts: {
      type: 'string',
      valueHint: 'URL,…',
      description: "With --apply: all hosts (default: the cluster's, with the port and user of --clickhouse)",
    },
    retention: {
      type: 'string',
      valueHint: 'DAYS',
      description: 'With --apply: drop spans after this number of days (default: unchanged)',
    },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description:
        'With --apply: one of the hosts, with its password in CLICKHOUSE_PASSWORD or in the URL (default: http://127.0.0.1:8123)',
    },
    database: { type: 'string', valueHint: 'NAME', default: 'otel', description: 'The ClickHouse database' },
    json: { type: 'boolean', description: 'One JSON document: the SQL, or the result of --apply' },
  },
  async run({ options: { apply, cluster, clickhouse, hosts, retention, database, json = false } }) {
    const at = { database, ...(clickhouse === undefined ? {} : { clickhouse: clickhouseUrl(clickhouse) }) }
    const retentionDays = wholeNumber('retention', retention, { min: 1 })
    if (retentionDays !== undefined && !apply) {
      throw new PlanspanError('usage', '--retention requires --apply; for one server pass it to `planspan serve`.')
    }
    if (!apply) {
      const sql = schemaDdl({ database, ...(cluster === undefined ? {} : { cluster }) }).trimEnd()
      print(json ? JSON.stringify({ sql }) : sql)
      return EXIT.done
    }
    if (cluster === undefined) {
      throw new PlanspanError(
        'usage',
        '--apply requires --cluster NAME: `planspan serve` creates the tables of a single server itself.',
      )
    }
    const target = {
      ...at,
      cluster,
      ...(hosts === undefined ? {} : { hosts }),
      ...(retentionDays === undefined ? {} : { retentionDays }),
    }
    return applySchema(target, json)
  },
})

/** `planspan schema --cluster NAME --apply`: creates or upgrades the schema on every host, and compares the hosts. */
export async function applySchema(options: MigrateClusterOptions, asJson: boolean): Promise<ExitCode> {
  const report = await migrateCluster(options)
  if (asJson) print(jsonOf(report))
  else show(report)
  return verdict(report)
}

const jsonOf = ({ hosts, differences }: ClusterReport): string =>
  JSON.stringify({
    hosts: hosts.map(({ url, failure }) => ({ url, failure: failure?.message ?? null })),
    differences,
  })

function show({ hosts, differences }: ClusterReport): void {
  for (const { url, failure } of hosts) {
    print(failure ? `${styled('red', 'fail')}  ${url}  ${failure.message}` : `${styled('green', 'ok  ')}  ${url}`)
  }
  if (differences.length > 0) {
    note(`${styled('yellow', 'The hosts differ')} in parts that planspan does not change by itself:`)
    for (const line of differences) print(line)
  }
}

function verdict({ hosts, differences }: ClusterReport): ExitCode {
  const failures = hosts.flatMap(({ failure }) => failure ?? [])
  const [first] = failures
  if (first) {
    const left = `${String(failures.length)} of ${String(hosts.length)} hosts`
    note(`${styled('red', 'Error:')} ${left} failed. Run the command again when they can be reached.`)
    return exitCodeOf(first)
  }
  return differences.length > 0 ? EXIT.different : EXIT.done
}
