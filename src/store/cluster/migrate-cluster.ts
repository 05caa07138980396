import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { shownUrl } from '../../base/shown-url.js'
import { checkAges } from '../ageing/index.js'
import { applyRetention } from '../ageing/retention.js'
import { createStoreClient, withClient } from '../client/client.js'
import { createDatabase, findTables } from '../schema/tables.js'
import { ownTable, type Layout } from '../schema/layout.js'
import { migrateTables } from '../schema/migrate-tables.js'
import { explainFailure } from '../rights.js'
import { checkDatabaseName } from '../client/sql-file.js'
import { applyViews, checkViewNames, spanEngine } from '../views/apply-views.js'
import type { SpanEngine } from '../views/call-rows.js'
import { checkClusterName, hasReplicas, hostUrls, namedUrls, readClusterHosts } from './hosts.js'
import { compareHosts, readHostSchema, type HostSchema } from './compare-hosts.js'

/** A cluster and the options of its migration. */
export interface MigrateClusterOptions {
  /** The name of a ClickHouse cluster in `remote_servers` of its servers. */
  cluster: string
  /** @default 'otel' */
  database?: string
  /** `http[s]://[user[:password]@]host[:port]` of one of its servers. @default 'http://127.0.0.1:8123' */
  clickhouse?: string
  /**
   * The URLs of all hosts, separated by commas; a URL without a user gets the user of `clickhouse`.
   * @default the hosts of the cluster, at the port and with the user of `clickhouse`
   */
  hosts?: string
  /**
   * Days after which ClickHouse drops spans.
   * @default unchanged
   */
  retentionDays?: number
}

/** The result of a cluster's migration. */
export interface ClusterReport {
  /** The URLs of the hosts, without passwords, and the error of a host that was not migrated. */
  readonly hosts: readonly { readonly url: string; readonly failure?: PlanspanError }[]
  /** The differences between the migrated hosts, one per line. */
  readonly differences: readonly string[]
}

interface Host {
  readonly url: string
  readonly client: ClickHouseClient
  layout: Layout
  failure?: PlanspanError
}

/**
 * Migrates the database on every host of a cluster, one after the other, and compares them. Nothing is sent ON
 * CLUSTER: a host that does not respond is migrated the next time. Throws `usage`, and `store_unreachable` if no host
 * returns the hosts of the cluster.
 */
export async function migrateCluster(options: MigrateClusterOptions): Promise<ClusterReport> {
  const { cluster, database = 'otel', clickhouse = 'http://127.0.0.1:8123', retentionDays } = options
  checkDatabaseName(database)
  checkClusterName(cluster)
  checkAges(retentionDays, undefined)
  const named = options.hosts === undefined ? undefined : namedUrls(options.hosts, options.clickhouse)
  const known = await firstAnswer(named ?? [clickhouse], database, (client) => readClusterHosts(client, cluster))
  const layout = { database, cluster: { name: cluster, isReplicated: hasReplicas(known) } }
  const urls = named ?? hostUrls(known, clickhouse)
  const hosts = urls.map((url): Host => ({ url, client: createStoreClient({ url }), layout }))
  try {
    const schemas = await migrateHosts(hosts, retentionDays)
    return {
      hosts: hosts.map(({ url, failure }) => ({ url: shownUrl(url), ...(failure ? { failure } : {}) })),
      differences: compareHosts(schemas),
    }
  } finally {
    await Promise.all(hosts.map(({ client }) => client.close()))
  }
}

async function migrateHosts(
  hosts: readonly Host[],
  retentionDays: number | undefined,
): Promise<Map<string, HostSchema>> {
  await onEach(hosts, async (host) => {
    const { url, client, layout } = host
    await firstAnswer([url], layout.database, (quick) => quick.query({ query: 'SELECT 1' }))
    await createDatabase(client, layout.database)
    host.layout = await layoutOf(client, layout)
    await checkViewNames(client, layout.database)
    await migrateTables(client, host.layout)
  })
  const engine = await commonEngine(hosts)
  const schemas = new Map<string, HostSchema>()
  await onEach(hosts, async ({ url, client, layout }) => {
    await applyViews(client, layout.database, engine)
    if (retentionDays !== undefined) await applyRetention(client, layout, { retentionDays })
    schemas.set(shownUrl(url), await readHostSchema(client, layout))
  })
  return schemas
}

/** Runs a task on each host that has not failed. A failure does not stop the other hosts. */
async function onEach(hosts: readonly Host[], work: (host: Host) => Promise<void>): Promise<void> {
  for (const host of hosts.filter(({ failure }) => !failure)) {
    try {
      await work(host)
    } catch (error) {
      const target = { client: host.client, url: host.url, database: host.layout.database }
      host.failure = await explainFailure('owner', error, target)
    }
  }
}

/** The timeout for hosts that neither accept nor refuse a connection. */
const ANSWER_WITHIN_MS = 10_000

/** Returns the answer of the first server that answers. */
async function firstAnswer<T>(
  urls: readonly string[],
  database: string,
  ask: (client: ClickHouseClient) => Promise<T>,
): Promise<T> {
  const failures: PlanspanError[] = []
  for (const url of urls) {
    try {
      return await withClient({ url, database }, ask, { requestTimeoutMs: ANSWER_WITHIN_MS })
    } catch (error) {
      if (!(error instanceof PlanspanError) || error.code !== 'store_unreachable') throw error
      failures.push(error)
    }
  }
  const [first] = failures
  if (first && failures.length === 1) throw first
  throw new PlanspanError('store_unreachable', failures.map(({ message }) => message).join('\n'), { cause: first })
}

/**
 * Returns the layout of a host. Replicated tables stay replicated. Throws `schema_mismatch` for a single server's
 * tables.
 */
async function layoutOf(client: ClickHouseClient, { database, cluster }: Layout): Promise<Layout> {
  const local = 'otel_traces_local'
  const found = new Map(
    (await findTables(client, database, ['otel_traces', local])).map((table) => [table.name, table]),
  )
  const engine = found.get('otel_traces')?.engine ?? 'Distributed'
  if (engine !== 'Distributed') {
    throw new PlanspanError(
      'schema_mismatch',
      `${database}.otel_traces is a table of one server (${engine}), but on a host of a cluster it has to be a Distributed ` +
        `table over ${database}.${local}. Rename it, or give the cluster another database with --database.`,
    )
  }
  const isReplicated = cluster?.isReplicated === true || found.get(local)?.engine.startsWith('Replicated') === true
  return { database, ...(cluster ? { cluster: { ...cluster, isReplicated } } : {}) }
}

/** Returns the engine that all hosts have in common; `plain` if a host failed or has a collector's table. */
async function commonEngine(hosts: readonly Host[]): Promise<SpanEngine> {
  if (hosts.some(({ failure }) => failure)) return 'plain'
  const engines = hosts.map(({ client, layout }) =>
    spanEngine(client, layout.database, ownTable(layout, 'otel_traces')),
  )
  return (await Promise.all(engines)).every((engine) => engine === 'replacing') ? 'replacing' : 'plain'
}
