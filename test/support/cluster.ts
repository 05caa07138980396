import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startClickHouse } from '../../src/clickhouse/index.js'
import { type Ports, reservePorts } from '../../src/clickhouse/ports.js'
import { schemaDdl } from '../../src/store/index.js'
import { splitSql } from '../../src/store/sql-file.js'
import { execute, type FreshDatabase } from './clickhouse.js'

/** A database over two ClickHouse servers, a shard each; drop() ends both. */
export interface Cluster extends FreshDatabase {
  /** The first server, as the user who may only read. */
  readonly readerUrl: string
  /** Both as their writer, for what each holds itself. */
  readonly shardUrls: readonly string[]
}

const CLUSTER = 'shards'
const DATABASE = 'cluster'

/**
 * Starts two embedded servers that know each other as a cluster, with what `planspan schema --cluster` prints. They
 * have no Keeper: a statement ON CLUSTER is one on each of them, and nothing is replicated.
 */
export async function startCluster(): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), 'planspan-cluster-'))
  const directories = [join(directory, 'shard-1'), join(directory, 'shard-2')] as const
  const ports = [await reservePorts({ http: 0, native: 0 }), await reservePorts({ http: 0, native: 0 })] as const
  for (const shard of directories) {
    await mkdir(join(shard, 'config.d'), { recursive: true })
    await writeFile(join(shard, 'config.d/cluster.xml'), configuration(ports))
  }
  const first = await startShard(directories[0], ports[0])
  // One user and password for both, as a cluster has it.
  await copyFile(join(directories[0], 'credentials.json'), join(directories[1], 'credentials.json'))
  const second = await startShard(directories[1], ports[1])
  const shardUrls = [first.url, second.url]
  for (const sql of splitSql(schemaDdl({ database: DATABASE, cluster: CLUSTER })).map(withoutKeeper)) {
    for (const url of shardUrls) await execute(url, sql)
  }
  return {
    url: first.url,
    readerUrl: first.readerUrl,
    shardUrls,
    database: DATABASE,
    drop: async () => {
      await Promise.all([first.stop(), second.stop()])
      await rm(directory, { recursive: true })
    },
  }
}

const startShard = (dataDirectory: string, { http, native }: Ports) =>
  startClickHouse({ dataDirectory, databases: [DATABASE], httpPort: http, nativePort: native })

// With a secret, a query goes to the other shards as the user who asks.
const configuration = (ports: readonly Ports[]) => `<clickhouse>
  <remote_servers>
    <${CLUSTER}>
      <secret>of both</secret>
      ${ports.map(({ native }) => `<shard><replica><host>127.0.0.1</host><port>${native}</port></replica></shard>`).join('\n')}
    </${CLUSTER}>
  </remote_servers>
</clickhouse>`

const withoutKeeper = (sql: string): string =>
  sql
    .replace(` ON CLUSTER '${CLUSTER}'`, '')
    .replace(/Replicated(\w*MergeTree)\([^)]*\)/, '$1')
    .replace('replicated_deduplication_window', 'non_replicated_deduplication_window')
