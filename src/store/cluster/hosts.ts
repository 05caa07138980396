import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { selectRows } from '../client/client.js'

/** A replica of a shard in ClickHouse's configuration. */
export interface ClusterHost {
  readonly shard: number
  readonly name: string
}

/** Reads the hosts of a cluster. Throws `usage` for a cluster that is not in the server's configuration. */
export async function readClusterHosts(client: ClickHouseClient, cluster: string): Promise<ClusterHost[]> {
  const all = await selectRows<ClusterHost & { cluster: string }>(
    client,
    'SELECT cluster, shard_num AS shard, host_name AS name FROM system.clusters ORDER BY shard_num, replica_num',
  )
  const hosts = all.filter((host) => host.cluster === cluster)
  if (hosts.length > 0) return hosts
  const known = [...new Set(all.map((host) => host.cluster))].join(', ') || 'none'
  throw new PlanspanError(
    'usage',
    `ClickHouse has no cluster ${JSON.stringify(cluster)}; its clusters are: ${known}. ` +
      'Name one of these, or add it to remote_servers in its configuration.',
  )
}

/** Whether a shard has several replicas. */
export const hasReplicas = (hosts: readonly ClusterHost[]): boolean =>
  new Set(hosts.map(({ shard }) => shard)).size < hosts.length

/**
 * Returns the URL of each host: a server's URL with another host name. Throws `usage` for two servers on one machine.
 */
export function hostUrls(hosts: readonly ClusterHost[], clickhouse: string): string[] {
  const names = hosts.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) {
    throw new PlanspanError(
      'usage',
      `The cluster has several servers on ${twice}, and its configuration lacks their HTTP ports. Give the URLs of all its ` +
        'servers with --hosts.',
    )
  }
  return names.map((name) => {
    const url = new URL(clickhouse)
    url.hostname = name.includes(':') ? `[${name}]` : name
    return url.href
  })
}

/**
 * Splits a list of URLs. A URL without a user gets the user and the password of `clickhouse`; a URL of the same user
 * gets the password.
 */
export function namedUrls(list: string, clickhouse: string | undefined): string[] {
  const { username = '', password = '' } =
    clickhouse !== undefined && URL.canParse(clickhouse) ? new URL(clickhouse) : {}
  // A comma may be part of an unencoded password, which an error must not show.
  return list.split(/,(?=\s*\w+:\/\/)/).map((text) => {
    const trimmed = text.trim()
    if (!URL.canParse(trimmed)) return trimmed
    const url = new URL(trimmed)
    if (url.username === '') url.username = username
    if (url.username === username && url.password === '') url.password = password
    return url.href
  })
}

/** Throws `usage` for an invalid name of a ClickHouse cluster; a macro such as `{cluster}` is valid. */
export function checkClusterName(cluster: string): void {
  if (/^(?:[\w.-]+|\{\w+\})$/.test(cluster)) return
  throw new PlanspanError('usage', `${JSON.stringify(cluster)} is not a valid name of a ClickHouse cluster.`)
}
