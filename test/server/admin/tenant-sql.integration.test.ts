import { afterAll, beforeAll, expect, test } from 'vitest'

import { NOBODY, secretOf, SHARED, startTwoTenants, type TenantName, type TwoTenants } from './two-tenants.js'

let two: TwoTenants

beforeAll(async () => {
  two = await startTwoTenants()
}, 120_000)
afterAll(() => two[Symbol.asyncDispose]())

async function select(who: TenantName | 'own', sql: string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json' }
  const answer = await two.ask(who, '/api/sql', { method: 'POST', headers, body: JSON.stringify({ sql }) })
  return { status: answer.status, text: await answer.text() }
}

test('each tenant’s SQL runs in its own database', async () => {
  const sql = `SELECT Title FROM plans WHERE PlanId = '${SHARED.planId}'`
  expect((await select('acme', sql)).text).toContain(secretOf('acme'))
  expect((await select('globex', sql)).text).toContain(secretOf('globex'))
  expect(JSON.parse((await select('own', sql)).text)).toMatchObject({ rows: [] })
})

/** Queries that read a database by its name. */
const ABOUT = [
  'SELECT * FROM DB.otel_traces',
  'SELECT * FROM DB.plans',
  'SELECT count() FROM DB.planspan_migrations',
  'SELECT 1 FROM DB.no_such_table',
  'DESCRIBE DB.plans',
  'SHOW TABLES FROM DB',
  'SHOW CREATE DATABASE DB',
  'SHOW CREATE TABLE DB.plans',
  'SHOW COLUMNS FROM plans FROM DB',
  'EXPLAIN SELECT * FROM DB.plans',
  'EXPLAIN ESTIMATE SELECT * FROM DB.otel_traces',
  'EXISTS DATABASE DB',
  'EXISTS DB.plans',
  'CHECK TABLE DB.otel_traces',
  "SELECT * FROM merge('DB', '.*')",
  "SELECT * FROM remote('127.0.0.1', 'DB', 'plans')",
  "SELECT * FROM cluster('default', 'DB', 'plans')",
  "SELECT * FROM clusterAllReplicas('default', DB.plans)",
  "SELECT * FROM viewIfPermitted(SELECT * FROM DB.plans ELSE null('x Int8'))",
  "SELECT * FROM mergeTreeIndex('DB', 'otel_traces')",
  "SELECT hasColumnInTable('DB', 'otel_traces', 'TraceId')",
  "SELECT dictGet('DB.plans', 'x', 1)",
  "SELECT joinGet('DB.plans', 'x', 1)",
  'SELECT 1 IN DB.plans',
  'SHOW GRANTS FOR planspan_reader_DB',
  'INSERT INTO DB.otel_traces (TraceId) VALUES (1)',
  'USE DB',
  "SELECT count() FROM system.tables WHERE database = 'DB'",
  "SELECT count() FROM system.columns WHERE database = 'DB'",
  "SELECT count() FROM system.parts WHERE database = 'DB'",
  "SELECT count() FROM system.databases WHERE name = 'DB'",
  "SELECT count() FROM information_schema.tables WHERE table_schema = 'DB'",
]

// By guessing a name, a tenant learns from ClickHouse's error whether that database exists, and nothing more.
test.each(ABOUT)('%s reveals nothing about another tenant’s data', async (sql) => {
  const rowsOf = async (database: string): Promise<unknown[]> => {
    const { status, text } = await select('acme', sql.replaceAll('DB', database))
    expect(text).not.toContain(secretOf('globex'))
    return status === 200 ? (JSON.parse(text) as { rows: unknown[] }).rows : []
  }
  expect(await rowsOf('globex')).toEqual(await rowsOf(NOBODY))
})

/** Queries that list what a user may see. */
const LISTS = [
  'SHOW DATABASES',
  'SHOW USERS',
  'SHOW GRANTS',
  'SHOW PROCESSLIST',
  'SHOW CLUSTERS',
  ...`databases tables columns parts data_skipping_indices processes query_log text_log errors users grants merges
    mutations part_log parts_columns detached_parts replicas settings server_settings metrics events disks
    storage_policies view_refreshes query_cache mark_cache session_log user_processes warnings dictionaries`
    .split(/\s+/)
    .map((table) => `SELECT * FROM system.${table}`),
  ...'tables schemata columns views statistics'.split(' ').map((table) => `SELECT * FROM information_schema.${table}`),
]

test.each(LISTS)('%s reveals nothing about another tenant', async (sql) => {
  const { status, text } = await select('acme', sql)
  expect(status).not.toBe(500)
  expect(text).not.toContain('globex')
})
