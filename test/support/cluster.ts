import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startClickHouse, type EmbeddedClickHouse } from '../../src/clickhouse/index.js'
import { type Ports, reservePorts } from '../../src/clickhouse/ports.js'
import { migrateCluster } from '../../src/store/index.js'
import type { FreshDatabase } from './clickhouse.js'
import { grantedUsers } from './granted-users.js'

/** ClickHouse servers that form a cluster, with a shard each; drop() stops them. */
export interface Shards extends FreshDatabase {
  readonly name: string
  /** The first server, as the read-only user. */
  readonly readerUrl: string
  /** All servers as their writer, for what each stores itself. */
  readonly shardUrls: readonly string[]
  stop(shard: number): Promise<void>
  start(shard: number): Promise<void>
}

/** ClickHouse's settings for the writer. */
type Profile = Readonly<Record<string, number>>

const NAME = 'shards'
const DATABASE = 'cluster'

/** Starts two embedded servers with planspan's tables, as created by `planspan schema --cluster --apply`. */
export async function startCluster(profile: Profile = {}): Promise<Shards> {
  const shards = await startShards(2, profile)
  const { hosts, differences } = await migrateCluster({
    cluster: shards.name,
    database: shards.database,
    hosts: shards.shardUrls.join(),
  })
  for (const { failure } of hosts) if (failure) throw failure
  if (differences.length > 0) throw new Error(differences.join('\n'))
  return shards
}

/** Starts embedded servers that form a cluster, with some users, and no database. They have no Keeper. */
export async function startShards(count = 2, profile: Profile = {}, granted = grantedUsers({})): Promise<Shards> {
  const root = await mkdtemp(join(tmpdir(), 'planspan-cluster-'))
  const directories = Array.from({ length: count }, (_, shard) => join(root, `shard-${String(shard + 1)}`))
  const ports = await Promise.all(directories.map(() => reservePorts({ http: 0, native: 0 })))
  const servers: EmbeddedClickHouse[] = []
  const start = async (shard: number) => {
    const { http: httpPort, native: nativePort } = ports[shard]!
    servers[shard] = await startClickHouse({
      dataDirectory: directories[shard]!,
      databases: [DATABASE],
      httpPort,
      nativePort,
    })
  }
  for (const [shard, directory] of directories.entries()) {
    await mkdir(join(directory, 'config.d'), { recursive: true })
    await mkdir(join(directory, 'users.d'))
    await writeFile(join(directory, 'config.d/cluster.xml'), configuration(ports))
    await writeFile(join(directory, 'users.d/profile.xml'), users(profile))
    await writeFile(join(directory, 'users.d/granted.xml'), granted)
    // One user and password for all servers, as in a cluster.
    if (shard > 0) await copyFile(join(directories[0]!, 'credentials.json'), join(directory, 'credentials.json'))
    await start(shard)
  }
  return {
    name: NAME,
    url: servers[0]!.url,
    readerUrl: servers[0]!.readerUrl,
    shardUrls: servers.map(({ url }) => url),
    database: DATABASE,
    start,
    stop: (shard) => servers[shard]!.stop(),
    drop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await rm(root, { recursive: true })
    },
  }
}

// With a secret, a query runs on the other shards as the user who sent it.
const configuration = (ports: readonly Ports[]) => `<clickhouse>
  <remote_servers>
    <${NAME}>
      <secret>of all</secret>
      ${ports.map(({ native }) => `<shard><replica><host>127.0.0.1</host><port>${native}</port></replica></shard>`).join('\n')}
    </${NAME}>
  </remote_servers>
</clickhouse>`

const users = (profile: Profile) =>
  `<clickhouse><profiles><default>${Object.entries(profile)
    .map(([setting, value]) => `<${setting}>${String(value)}</${setting}>`)
    .join('')}</default></profiles></clickhouse>`
