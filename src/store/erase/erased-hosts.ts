import { hostUrls, namedUrls, readClusterHosts } from '../cluster/hosts.js'
import type { Layout } from '../layout.js'
import { readRows, type QueryTarget } from '../query.js'

/** The servers that hold the rows of a database, and how they lie there. */
export interface ErasedHosts {
  readonly urls: readonly string[]
  readonly layout: Layout
}

/**
 * Finds the servers of a database: those of the cluster that its Distributed tables name. Throws `usage` where their
 * URLs have to be named.
 */
export async function findHosts(target: QueryTarget, hosts: string | undefined): Promise<ErasedHosts> {
  const { client, url, database } = target
  const [row] = await readRows<{ cluster: string }>(
    target,
    `SELECT extract(engine_full, '^Distributed\\\\(\\'((?:[^\\'\\\\\\\\]|\\\\\\\\.)*)\\'') AS cluster
     FROM system.tables WHERE database = {database:String} AND name = 'otel_traces'`,
    { database },
  )
  const name = row?.cluster ?? ''
  if (name === '') return { urls: [url], layout: { database } }
  const urls = hosts === undefined ? hostUrls(await readClusterHosts(client, name), url) : namedUrls(hosts, url)
  return { urls, layout: { database, cluster: { name, isReplicated: false } } }
}
