import { type QueryTarget, readRows } from '../client/query.js'
import { withClient } from '../client/client.js'
import { hasReplicas, hostUrls, namedUrls, readClusterHosts } from './hosts.js'

/** The servers that hold the same rows. */
export interface Shard {
  /** The URLs of its replicas. */
  readonly urls: readonly string[]
}

/**
 * Finds the shards of a database: those of the cluster that its Distributed tables name, or one server. `hosts` are the
 * URLs of all hosts, separated by commas. Throws `usage` if `hosts` is required.
 */
export async function findShards(target: QueryTarget, hosts?: string): Promise<Shard[]> {
  const cluster = await clusterOf(target)
  if (cluster === undefined) return [{ urls: [target.url] }]
  const known = await readClusterHosts(target.client, cluster)
  const urls = hosts === undefined ? hostUrls(known, target.url) : namedUrls(hosts, target.url)
  if (!hasReplicas(known)) return urls.map((url) => ({ urls: [url] }))
  const shardOf = hosts === undefined ? known.map(({ shard }) => shard) : await askShards(urls, cluster)
  const shards = new Map<unknown, string[]>()
  for (const [at, url] of urls.entries()) {
    // A host with an unknown shard counts as a shard of its own. Two indexers of one shard write the same rows.
    const shard = shardOf[at] ?? url
    shards.set(shard, [...(shards.get(shard) ?? []), url])
  }
  return [...shards.values()].map((of) => ({ urls: of }))
}

/** Finds the cluster that a database's Distributed tables name. Throws what queries throw. */
export async function clusterOf(target: QueryTarget): Promise<string | undefined> {
  const [row] = await readRows<{ cluster: string }>(
    target,
    `SELECT extract(engine_full, '^Distributed\\\\(\\'((?:[^\\'\\\\\\\\]|\\\\\\\\.)*)\\'') AS cluster
     FROM system.tables WHERE database = {database:String} AND name = 'otel_traces'`,
    { database: target.database },
  )
  return row?.cluster || undefined
}

const ANSWER_WITHIN_MS = 10_000

/** Asks each host for the number of its shard. */
const askShards = (urls: readonly string[], cluster: string): Promise<(number | undefined)[]> =>
  Promise.all(
    urls.map(async (url) => {
      const [row] = await ask<{ shard: number }>(
        url,
        'SELECT shard_num AS shard FROM system.clusters WHERE cluster = {cluster:String} AND is_local',
        { cluster },
      ).catch(() => [])
      return row?.shard
    }),
  )

/** Returns the first replica that responds, or the first of all if no replica responds. */
export async function findReplica({ urls }: Shard): Promise<string> {
  const [first = ''] = urls
  if (urls.length < 2) return first
  for (const url of urls) {
    if (await ask(url, 'SELECT 1', {}).then(() => true, () => false)) return url // prettier-ignore
  }
  return first
}

const ask = <Row>(url: string, query: string, params: Readonly<Record<string, unknown>>): Promise<Row[]> => {
  const at = { url, database: 'system' }
  return withClient(at, (client) => readRows<Row>({ client, ...at }, query, params), {
    requestTimeoutMs: ANSWER_WITHIN_MS,
  })
}
