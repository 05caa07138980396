import { text } from 'node:stream/consumers'
import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../error.js'
import { shownUrl } from '../base/shown-url.js'
import { isDenied, RIGHTS_GUIDE, storeError } from './client/store-error.js'
import type { QueryTarget } from './client/query.js'
import { INDEX_TABLES } from './row-tables/index.js'
import { fillSql } from './client/sql-file.js'
import { withDisk } from './upkeep/disks.js'

const SYSTEM_TABLES = ['parts', 'parts_columns', 'storage_policies'].map((table) => `SELECT ON system.${table}`)
const ENGINES = ['MergeTree', 'AggregatingMergeTree', 'ReplacingMergeTree', 'Null', 'Distributed']
const REPLICATED = ['MergeTree', 'AggregatingMergeTree', 'ReplacingMergeTree'].map((engine) => `Replicated${engine}`)

/** The rights that each kind of ClickHouse user needs; docs/deployment.md lists the GRANT statements. */
const GRANTS = {
  /** Creates and alters the tables. */
  owner: [
    'SELECT, INSERT, CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, ALTER TABLE, ALTER VIEW ON ${database}.*',
    'SYSTEM TTL MERGES ON ${database}.*',
    ...SYSTEM_TABLES,
    ...['clusters', 'disks'].map((table) => `SELECT ON system.${table}`),
    ...[...ENGINES, ...REPLICATED].map((engine) => `TABLE ENGINE ON ${engine}`),
  ],
  /** Stores spans, and reads them. */
  writer: [
    'SELECT, INSERT ON ${database}.*',
    'ALTER DELETE ON ${database}.otlp_journal',
    ...SYSTEM_TABLES,
    'SELECT ON system.clusters',
  ],
  reader: ['SELECT ON ${database}.*', ...SYSTEM_TABLES],
  /** Erases plans; in addition to what a writer needs. */
  eraser: ['ALTER DELETE, ALTER SETTINGS ON ${database}.*'],
} as const satisfies Record<string, readonly string[]>

export type Role = keyof typeof GRANTS

/** Returns the GRANT statement for a user with a role on a database. */
export const grantStatement = (role: Role, database: string, user: string): string =>
  `GRANT ${fillSql(GRANTS[role].join(', '), { database })} TO ${user}`

/** Returns the rights of a role that the user lacks, as in a GRANT statement. */
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
 * Returns the PlanspanError for a failed request, as `storeError` does. An `access_denied` error lists all rights of a
 * role that the user lacks, and a `disk_full` error names the disk and its free space, if ClickHouse can report them.
 */
export async function explainFailure(role: Role, error: unknown, target: QueryTarget): Promise<PlanspanError> {
  const denied = isDenied(error) ? await denial(role, target, error) : undefined
  return denied ?? withDisk(storeError(error, target), target)
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
      `The user of ClickHouse at ${shownUrl(url)} may not ${DOES[role]} of the database ${database}. It lacks these rights: ` +
        `GRANT ${missing.join(', ')} TO ${user}. ${RIGHTS_GUIDE}.`,
      { cause },
    )
  } catch {
    return undefined
  }
}

const DOES: Readonly<Record<Role, string>> = {
  owner: 'create or change the tables',
  writer: 'store spans in the tables',
  reader: 'read the tables',
  eraser: 'erase plans from the tables',
}

/** Whether the user may store spans. Returns true if ClickHouse cannot check rights. */
export async function mayWrite({ client, database }: QueryTarget): Promise<boolean> {
  const tables = ['otel_traces', 'otel_logs', 'otlp_protobuf', 'otlp_json', 'otlp_logs_protobuf', 'otlp_logs_json']
  return isGranted(client, tables.map((table) => `INSERT ON ${database}.${table}`).join(', ')).catch(() => true)
}

/** Whether the user may insert requests into the journal and delete them. */
export async function mayJournal({ client, database }: QueryTarget): Promise<boolean> {
  const table = `${database}.otlp_journal`
  const rights = ['SELECT', 'INSERT', 'ALTER DELETE'].map((right) => `${right} ON ${table}`)
  return isGranted(client, rights.join(', ')).catch(() => false)
}

/** Throws `access_denied` for a user who may not write the indexer's rows. */
export async function checkMayIndex(target: QueryTarget): Promise<void> {
  const { client, database } = target
  const rights = INDEX_TABLES.map((table) => `SELECT, INSERT ON ${database}.${table}`)
  if (await isGranted(client, rights.join(', ')).catch(() => true)) return
  const denied = await denial('writer', target)
  if (denied) throw denied
}
