import { hostUrls, namedUrls, readClusterHosts } from '../cluster/hosts.js'
import { clusterOf } from '../cluster/shards.js'
import type { Layout } from '../schema/layout.js'
import type { QueryTarget } from '../client/query.js'

/** The servers with the rows of a database, and their layout. */
export interface ErasedHosts {
  readonly urls: readonly string[]
  readonly layout: Layout
}

/**
 * Finds the servers of a database: those of the cluster that its Distributed tables name. Throws `usage` if `hosts` has
 * to name their URLs.
 */
export async function findHosts(target: QueryTarget, hosts: string | undefined): Promise<ErasedHosts> {
  const { client, url, database } = target
  const name = await clusterOf(target)
  if (name === undefined) return { urls: [url], layout: { database } }
  const urls = hosts === undefined ? hostUrls(await readClusterHosts(client, name), url) : namedUrls(hosts, url)
  return { urls, layout: { database, cluster: { name, isReplicated: false } } }
}
