import { expect, onTestFinished, test } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { encodeRequest } from '../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../store/ingest/sample-spans.js'
import { execute } from '../support/clickhouse.js'
import { runCli, startServe, type Serving } from './run-cli.js'

async function findings({ line }: Serving, more: readonly string[] = []): Promise<{ level: string; text: string }[]> {
  const { out } = await runCli(['doctor', '--json', '--endpoint', line.url, ...more])
  return (JSON.parse(out) as { findings: { level: string; text: string }[] }).findings
}

const warnings = async (serving: Serving, more?: readonly string[]): Promise<string> =>
  (await findings(serving, more))
    .filter(({ level, text }) => level === 'warn' && !/not installed/.test(text))
    .map(({ text }) => text)
    .join('\n')

async function send({ line }: Serving, ...[request]: Parameters<typeof encodeRequest>): Promise<void> {
  const body = new Uint8Array(encodeRequest(request))
  const headers = { 'content-type': 'application/x-protobuf' }
  expect((await fetch(`${line.url}/v1/traces`, { method: 'POST', headers, body })).status).toBe(200)
}

async function serve(data: string): Promise<Serving> {
  const serving = await startServe(['--data', data])
  onTestFinished(() => void serving.child.kill('SIGKILL'))
  return serving
}

test('doctor finds dropped or replaced objects, and its advice repairs them', async () => {
  const data = temporaryDirectory()
  const serving = await serve(data)
  const { url } = serving.clickhouse
  const well = (await findings(serving)).filter(({ level }) => level === 'ok').map(({ text }) => text)
  expect(well).toEqual(
    expect.arrayContaining([
      'The database otel has all tables, columns and views',
      'No span of the last day ends in the future or lacks values',
    ]),
  )
  await execute(url, 'DROP TABLE otel.otel_traces_trace_id_ts_mv')
  await execute(url, 'DROP VIEW otel.waits')
  await execute(url, 'CREATE OR REPLACE VIEW otel.plans AS SELECT 1 AS PlanId')
  await execute(url, 'ALTER TABLE otel.otel_traces ADD COLUMN Mine String')
  await execute(url, 'ALTER TABLE otel.otel_traces MODIFY COLUMN SpanName String')
  await execute(url, 'ALTER TABLE otel.otel_logs MODIFY COLUMN ScopeName LowCardinality(String)')
  await execute(url, "ALTER TABLE otel.otel_traces MODIFY COLUMN PlanId String MATERIALIZED SpanAttributes['mine']")
  await send(serving, makeRequest([makeSpan(1)]))
  const reported = await warnings(serving)
  expect(reported).toMatch(/lacks otel_traces_trace_id_ts_mv, so lists and views are incomplete/)
  expect(reported).toMatch(/lacks the views waits\. Restart the server/)
  expect(reported).toMatch(/The views plans of the database otel differ from those of this planspan\. Drop them/)
  const statements = [...reported.matchAll(/`(ALTER TABLE [^`]*)`/g)].map(([, statement]) => statement!)
  expect(statements).toEqual([
    'ALTER TABLE otel.otel_traces MODIFY COLUMN SpanName LowCardinality(String)',
    "ALTER TABLE otel.otel_traces MODIFY COLUMN PlanId String MATERIALIZED SpanAttributes['planspan.plan.id']",
    'ALTER TABLE otel.otel_traces MATERIALIZE COLUMN PlanId',
    'ALTER TABLE otel.otel_logs MODIFY COLUMN ScopeName String',
  ])
  for (const statement of statements) await execute(url, statement)

  await execute(url, 'DELETE FROM otel.planspan_migrations WHERE true')
  await execute(url, 'DROP VIEW otel.plans')
  await serving.end('SIGTERM')
  const again = await serve(data)
  expect(await warnings(again)).not.toMatch(/lacks|differ from|planspan creates/)
  expect(await execute(again.clickhouse.url, 'SELECT count() FROM otel.otel_traces_trace_id_ts')).toBe('1\n')

  // Other databases are only reported to users who may see all of ClickHouse.
  expect((await runCli(['tenant', 'create', 'acme', '--data', data])).code).toBe(0)
  await execute(again.clickhouse.url, 'DROP VIEW acme.waits')
  await execute(again.clickhouse.url, 'ALTER TABLE acme.otel_traces MODIFY COLUMN SpanName String')
  expect(await warnings(again)).not.toContain('acme')
  for (const where of [
    ['--data', data],
    ['--clickhouse', again.clickhouse.url],
  ]) {
    const all = await warnings(again, where)
    expect(all).toMatch(/The database acme lacks the views waits/)
    expect(all).toMatch(/The column SpanName of acme\.otel_traces is String, but planspan creates it as LowCardinality/)
  }
  await execute(again.clickhouse.url, 'DELETE FROM acme.planspan_migrations WHERE true')
  expect(await warnings(again, ['--data', data])).toMatch(/The database acme lacks a version of the schema/)
  await again.end('SIGTERM')
}, 90_000)

test('doctor finds accumulating parts, clocks that are ahead and values that were dropped', async () => {
  const serving = await serve(temporaryDirectory())
  const { url } = serving.clickhouse
  await execute(url, 'SYSTEM STOP MERGES otel.otel_traces')
  await execute(url, 'ALTER TABLE otel.otel_traces MODIFY SETTING parts_to_delay_insert = 4')
  const now = BigInt(Date.now()) * 1_000_000n
  const ahead = { startTimeUnixNano: String(now), endTimeUnixNano: String(now + 120_000_000_000n) }
  const dropped = [{ key: ATTR.dropped, value: { intValue: '2' } }]
  await send(serving, makeRequest([{ ...makeSpan(1), ...ahead }], 'fast'))
  await send(
    serving,
    makeRequest(
      [{ ...makeSpan(2, { attributes: dropped }), startTimeUnixNano: String(now), endTimeUnixNano: String(now) }],
      'full',
    ),
  )
  const reported = await warnings(serving)
  expect(reported).toMatch(
    /A day of the table otel_traces has 2 parts; with 4 ClickHouse slows inserts down, with 3000 it/,
  )
  expect(reported).toMatch(/Spans of the service fast end 1 min \d+ s in the future: its clock is ahead/)
  expect(reported).toMatch(/1 span of the service full lack 2 values that could not be sent/)
  expect((await findings(serving)).map(({ text }) => text).join('\n')).toMatch(
    /The disk default has .* free; the store uses/,
  )
  await serving.end('SIGTERM')
}, 60_000)
