import { text } from 'node:stream/consumers'
import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../error.js'
import { shownUrl } from '../shown-url.js'
import { isDenied, RIGHTS_GUIDE } from './client/store-error.js'
import type { QueryTarget } from './client/query.js'
import { INDEX_TABLES } from './row-tables/index.js'
import { fillSql } from './client/sql-file.js'

const TOLD = ['parts', 'parts_columns', 'storage_policies'].map((table) => `SELECT ON system.${table}`)
const ENGINES = ['MergeTree', 'AggregatingMergeTree', 'ReplacingMergeTree', 'Null', 'Distributed']
const REPLICATED = ['MergeTree', 'AggregatingMergeTree', 'ReplacingMergeTree'].map((engine) => `Replicated${engine}`)

/** What each user of ClickHouse has to be granted; docs/deployment.md has it as statements. */
const GRANTS = {
  /** Makes and changes the tables. */
  owner: [
    'SELECT, INSERT, CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, ALTER TABLE, ALTER VIEW ON ${database}.*',
    'SYSTEM TTL MERGES ON ${database}.*',
    ...TOLD,
    ...['clusters', 'disks'].map((table) => `SELECT ON system.${table}`),
    ...[...ENGINES, ...REPLICATED].map((engine) => `TABLE ENGINE ON ${engine}`),
  ],
  /** Stores spans, and reads them. */
  writer: [
    'SELECT, INSERT ON ${database}.*',
    'ALTER DELETE ON ${database}.otlp_journal',
    ...TOLD,
    'SELECT ON system.clusters',
  ],
  reader: ['SELECT ON ${database}.*', ...TOLD],
  /** Erases plans; in addition to what a writer needs. */
  eraser: ['ALTER DELETE, ALTER SETTINGS ON ${database}.*'],
} as const satisfies Record<string, readonly string[]>

export type Role = keyof typeof GRANTS

/** The statement that makes a user of ClickHouse the owner, a writer or a reader of a database. */
export const grantStatement = (role: Role, database: string, user: string): string =>
  `GRANT ${fillSql(GRANTS[role].join(', '), { database })} TO ${user}`

/** What a role needs and the user lacks, for a GRANT. */
async function lacked(client: ClickHouseClient, database: string, role: Role): Promise<string[]> {
  const missing: string[] = []
  for (const part of GRANTS[role]) {
    const [rights = '', on = ''] = fillSql(part, { database }).split(' ON ')
    const lacking: string[] = []
    for (const right of rights.split(', ')) {
      if (!(await isGranted(client, `${right} ON ${on}`))) lacking.push(right)
    }
    if (lacking.length > 0) missing.push(`${lacking.join(', ')} ON ${on}`)
  }
  return missing
}

async function isGranted(client: ClickHouseClient, right: string): Promise<boolean> {
  const { stream } = await client.exec({ query: `CHECK GRANT ${right}` })
  return (await text(stream)).trim() === '1'
}

/**
 * The `access_denied` of a user who may not do what a role does: it tells all that the user lacks for it. Undefined for
 * other errors, and for a ClickHouse that cannot tell.
 */
export async function deniedTo(role: Role, error: unknown, target: QueryTarget): Promise<PlanspanError | undefined> {
  return isDenied(error) ? denial(role, target, error) : undefined
}

async function denial(
  role: Role,
  { client, url, database }: QueryTarget,
  cause?: unknown,
): Promise<PlanspanError | undefined> {
  try {
    const missing = await lacked(client, database, role)
    if (missing.length === 0) return undefined
    const { username } = new URL(url)
    const user = decodeURIComponent(username) || 'default'
    return new PlanspanError(
      'access_denied',
      `The user of ClickHouse at ${shownUrl(url)} may not ${DOES[role]} of the database ${database}. All that it lacks: ` +
        `GRANT ${missing.join(', ')} TO ${user}. ${RIGHTS_GUIDE}.`,
      { cause },
    )
  } catch {
    return undefined
  }
}

const DOES: Readonly<Record<Role, string>> = {
  owner: 'make or change the tables',
  writer: 'store spans in the tables',
  reader: 'read the tables',
  eraser: 'erase plans from the tables',
}

/** Whether the user may store spans. A ClickHouse that cannot tell counts as one that lets it. */
export async function mayWrite({ client, database }: QueryTarget): Promise<boolean> {
  const tables = ['otel_traces', 'otlp_protobuf', 'otlp_json']
  return isGranted(client, tables.map((table) => `INSERT ON ${database}.${table}`).join(', ')).catch(() => true)
}

/** Whether the user may use the journal: put requests there, and drop them. */
export async function mayJournal({ client, database }: QueryTarget): Promise<boolean> {
  const table = `${database}.otlp_journal`
  const rights = ['SELECT', 'INSERT', 'ALTER DELETE'].map((right) => `${right} ON ${table}`)
  return isGranted(client, rights.join(', ')).catch(() => false)
}

/** Throws `access_denied` for a user who may store spans and not the rows that the indexer makes of them. */
export async function checkMayIndex(target: QueryTarget): Promise<void> {
  const { client, database } = target
  const rights = INDEX_TABLES.map((table) => `SELECT, INSERT ON ${database}.${table}`)
  if (await isGranted(client, rights.join(', ')).catch(() => true)) return
  const denied = await denial('writer', target)
  if (denied) throw denied
}
