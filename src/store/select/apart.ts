import type { ClickHouseClient } from '@clickhouse/client'
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { createStoreClient, selectRows, type StoreClientOptions } from '../client/client.js'
import { querySql, type QueryTarget } from '../client/query.js'

/** Engines apart from the one that owns the tables, in which a query can be killed. */
export interface Engines {
  run<Result>(reading: {
    readonly tables: string
    readonly prepare: (httpPort: number) => Promise<void>
    readonly task: (httpPort: number) => Promise<Result>
    readonly signal: AbortSignal
  }): Promise<Result>
}

/** The time within which an engine sees what the owner of the tables has written, with a margin. */
const SEEN_MS = 3_000
const POLL_MS = 50

export interface Apart<Result> {
  /** The reader's client of the engine that owns the tables, and its URL. */
  readonly reader: ClickHouseClient
  readonly url: string
  readonly database: string
  readonly task: (target: QueryTarget) => Promise<Result>
  /** Kills the engine in which the task runs. */
  readonly signal: AbortSignal
}

/** Runs a task as the reader in an engine that knows the tables that the reader may read, and all their rows so far. */
export async function runApart<Result>(
  { engines, owner }: { readonly engines: Engines; readonly owner: Pick<QueryTarget, 'client' | 'url'> },
  { reader, url, database, task, signal }: Apart<Result>,
): Promise<Result> {
  const databases = (await selectRows<{ name: string }>(reader, querySql('readable_databases', {}))).map(
    ({ name }) => name,
  )
  const tables = (await selectRows<{ text: string }>(owner.client, querySql('table_texts', {}), { databases })).map(
    ({ text }) => text,
  )
  return engines.run({
    tables: createHash('sha256').update(JSON.stringify(tables)).digest('base64url'),
    prepare: async (port) => {
      await using({ url: urlAt(owner.url, port) }, (client) => attach(client, databases, tables))
    },
    task: (port) => {
      const there = { url: urlAt(url, port), database }
      return using(there, async (client) => {
        await seeRows(reader, client, databases)
        return task({ ...there, client })
      })
    },
    signal,
  })
}

const quoted = (name: string): string => `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``

/** The files of an attached table are where its UUID says, and the storage policy of the engine only reads them. */
async function attach(
  client: ClickHouseClient,
  databases: readonly string[],
  tables: readonly string[],
): Promise<void> {
  for (const name of databases) await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${quoted(name)}` })
  for (const text of tables) await client.command({ query: text.replace(/^CREATE/, 'ATTACH') })
}

interface Position {
  readonly place: string
  readonly block: string
  readonly version: string
}

/** Waits until an engine has found the parts with the rows that the owner of the tables has now. */
async function seeRows(
  reader: ClickHouseClient,
  engine: ClickHouseClient,
  databases: readonly string[],
): Promise<void> {
  const positions = (client: ClickHouseClient) =>
    selectRows<Position>(client, querySql('part_positions', {}), { databases })
  const wanted = await positions(reader)
  const isBehind = (seen: ReadonlyMap<string, Position>) =>
    wanted.some(({ place, block, version }) => {
      const there = seen.get(place)
      return !there || BigInt(there.block) < BigInt(block) || BigInt(there.version) < BigInt(version)
    })
  for (const end = performance.now() + SEEN_MS; performance.now() < end; await delay(POLL_MS)) {
    const seen = new Map((await positions(engine)).map((position) => [position.place, position]))
    if (!isBehind(seen)) return
  }
}

function urlAt(url: string, port: number): string {
  const at = new URL(url)
  at.port = String(port)
  return at.href
}

async function using<Result>(
  at: StoreClientOptions,
  task: (client: ClickHouseClient) => Promise<Result>,
): Promise<Result> {
  const client = createStoreClient(at)
  try {
    return await task(client)
  } finally {
    await client.close()
  }
}
