import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'

/** A database for one test; drop() removes it. */
export interface FreshDatabase {
  /** The URL of the server as its writer: http://user:password@host:port, without the database. */
  readonly url: string
  readonly database: string
  /** The servers of a cluster. */
  readonly shardUrls?: readonly string[]
  drop(): Promise<void>
}

/** Creates an empty database in the run's ClickHouse. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const url = inject('clickhouseUrl')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await execute(url, `CREATE DATABASE ${database}`)
  return {
    url,
    database,
    drop: async () => {
      await execute(url, `DROP DATABASE ${database} SYNC`)
    },
  }
}

/** Sends one statement over HTTP to a URL with credentials and returns the response text. */
export async function execute(url: string, sql: string): Promise<string> {
  const { origin, username, password } = new URL(url)
  const authorization = `Basic ${btoa(`${username}:${password}`)}`
  // A connection that was kept may be closed by ClickHouse just now.
  const response = await fetch(origin, { method: 'POST', headers: { authorization, connection: 'close' }, body: sql })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
