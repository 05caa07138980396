import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { setAsideDays, startServer } from '../../../src/server/index.js'
import { temporaryDirectory } from '../../clickhouse/temporary-directory.js'
import { execute } from '../../support/clickhouse.js'

const ODD_DAYS = 400

/** Spans of today, of 1970 and of more than a year from 2040 on, which a receiver would reject. */
const ODD_SPANS = `INSERT INTO otel.otel_traces (Timestamp, TraceId, SpanId, SpanName, SpanAttributes)
  SELECT
    multiIf(number = 0, now64(9), number = 1, toDateTime64(0, 9), toDateTime64('2040-01-01 12:00:00', 9) + toIntervalDay(number - 2)),
    leftPad(hex(number + 1), 32, '0'), leftPad(hex(number + 1), 16, '0'), 'invoke_workflow',
    map('planspan.plan.id', concat('plan-', toString(number)), 'planspan.span.kind', 'plan')
  FROM numbers(${ODD_DAYS + 2})
  SETTINGS max_partitions_per_insert_block = 0`

async function start(dataDirectory: string) {
  const server = await startServer({ dataDirectory, port: 0 })
  onTestFinished(() => server.close())
  const sql = (query: string) => execute(server.clickhouseUrl, query)
  return { server, sql, count: async (table: string) => Number(await sql(`SELECT count() FROM otel.${table}`)) }
}

test('days outside the accepted range are set aside, and can be restored', { timeout: 240_000 }, async () => {
  const dataDirectory = temporaryDirectory()
  const first = await start(dataDirectory)
  await first.sql(ODD_SPANS)
  await expect.poll(() => first.count('plans'), { timeout: 60_000 }).toBe(ODD_DAYS + 2)
  await expect(setAsideDays({ dataDirectory })).rejects.toMatchObject({ code: 'data_directory_in_use' })
  await first.server.close()

  const aside = await setAsideDays({ dataDirectory })
  expect(aside.map(({ table }) => table)).toEqual(
    expect.arrayContaining(['otel.otel_traces', 'otel.otel_traces_trace_id_ts', 'otel.plan_keys']),
  )
  const spans = aside.find(({ table }) => table === 'otel.otel_traces')!
  expect(spans).toMatchObject({ parts: ODD_DAYS, days: ODD_DAYS })
  expect(readdirSync(spans.directories[0]!)).toHaveLength(ODD_DAYS)
  expect(await setAsideDays({ dataDirectory })).toEqual([])

  const again = await start(dataDirectory)
  for (const table of ['otel_traces', 'plans']) expect(await again.count(table)).toBe(2)
  await again.sql("ALTER TABLE otel.otel_traces ATTACH PARTITION ID '20400102'")
  expect(await again.sql('SELECT PlanId FROM otel.otel_traces WHERE toYear(Timestamp) = 2040')).toBe('plan-3\n')
})

test('a directory without a store is left unchanged', async () => {
  const dataDirectory = temporaryDirectory()
  await expect(setAsideDays({ dataDirectory })).rejects.toMatchObject({ code: 'usage' })
  expect(existsSync(join(dataDirectory, 'store'))).toBe(false)
})
