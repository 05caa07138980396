// Makes the data of one build: templates, when each span is sent, then the spans by slices of time, as they would come.
import { readFileSync } from 'node:fs'

import { ATTR } from '../../dist/semconv/index.js'
import { cpuSeconds, forgetPeak, peakMegabytes } from '../ingest/processes.mjs'
import { number, settle } from '../settle.mjs'
import { templates } from './templates.mjs'

/** The database of what the spans are made of. */
export const OWN = 'bench_density'
const BATCH = 100_000
export const MERGE_LIMIT_MS = 3_600_000
/** Characters that a text gets, on average: a span then takes about 100 bytes on the disk. */
const TEXT_LENGTH = 110
const sql = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')

const LAYOUTS = { density: 900, month: 30 * 86_400 }
const UNTIL = Date.parse('2026-03-31T12:00:00Z')

/** From when to when the plans begin, Unix milliseconds. */
export const windowOf = (layout) => ({ from: UNTIL - LAYOUTS[layout] * 1000, until: UNTIL })

const fill = (text, values) =>
  text.replaceAll(/\$\{(?:ATTR\.)?(\w+)\}/g, (_, name) => values[name] ?? `'${ATTR[name]}'`)

/** What of it is there already, of an earlier run: its layout and how many spans were asked for. */
export async function madeBefore(client) {
  const found = await number(client, `SELECT count() FROM system.tables WHERE database = '${OWN}' AND name = 'made'`)
  if (found === 0) return undefined
  const result = await client.query({ query: `SELECT * FROM ${OWN}.made`, format: 'JSONEachRow' })
  const [row] = await result.json()
  return row
}

/** What the making took; of its CPU seconds those that the rows alone take, without an insert. */
export async function make({ client, clickhousePid, database }, { spans, layout, foreign }) {
  const stored = await number(client, `SELECT count() FROM ${database}.otel_traces`)
  if (stored > 0) throw new Error(`${database}.otel_traces has ${stored} rows of a run that did not end: remove --data`)
  const { from, until } = windowOf(layout)
  const { usual, count, rows } = templates(until, { foreign })
  await client.command({ query: `DROP DATABASE IF EXISTS ${OWN} SYNC` })
  for (const statement of statementsOf(fill(sql('templates.sql'), { own: OWN }))) await run(client, statement)
  await client.insert({ table: `${OWN}.template_rows`, values: rows, format: 'JSONEachRow' })
  const perPlan = 0.9 * meanSize(rows, 0, usual) + 0.1 * meanSize(rows, usual, count)
  const plans = Math.max(1, Math.round(spans / perPlan))
  const window = `${(until - from) * 1_000_000}`
  const values = { own: OWN, from: `${from}000000`, window, plans, usual, templates: count }
  for (const statement of statementsOf(fill(sql('arrivals.sql'), values))) await run(client, statement)

  const slices = await slicesOf(client)
  await forgetPeak(clickhousePid)
  const began = { wall: performance.now(), cpu: await cpuSeconds(clickhousePid) }
  for (const slice of slices) await run(client, insertOf(database, slice))
  const inserted = performance.now()
  await settle(client, database, MERGE_LIMIT_MS)
  const ended = { wall: performance.now(), cpu: await cpuSeconds(clickhousePid) }
  const peak = await peakMegabytes(clickhousePid)
  const millions = (await number(client, `SELECT count() FROM ${database}.otel_traces`)) / 1e6
  const making = await cpuOfRows(
    client,
    clickhousePid,
    database,
    slices.slice(0, 3),
    Math.min(millions, (3 * BATCH) / 1e6),
  )
  await run(client, `DROP TABLE ${OWN}.arrivals SYNC`)
  await run(
    client,
    `CREATE TABLE ${OWN}.made ENGINE = MergeTree ORDER BY () AS SELECT '${layout}' AS layout, ${spans} AS spans, ${usual} AS usual`,
  )
  return {
    'inserts, s a million': ((inserted - began.wall) / 1000 / millions).toFixed(1),
    'until merged, s a million': ((ended.wall - began.wall) / 1000 / millions).toFixed(1),
    'CPU s a million': ((ended.cpu - began.cpu) / millions).toFixed(1),
    'of them to make the rows': making.toFixed(1),
    'peak MB': peak,
  }
}

const statementsOf = (text) => text.split(/;\s*$/m).filter((statement) => statement.trim() !== '')

const run = (client, query) =>
  client.command({
    query,
    clickhouse_settings: {
      max_partitions_per_insert_block: '0',
      max_insert_threads: '1',
      deduplicate_blocks_in_dependent_materialized_views: 1,
    },
  })

const meanSize = (rows, first, end) =>
  rows.filter(({ Template: template }) => template >= first && template < end).length / (end - first)

/** Slices of time in which as many spans end as an insert has, each with the one before. */
async function slicesOf(client) {
  const result = await client.query({
    query: `SELECT toString(toUnixTimestamp64Nano(Arrival)) AS at FROM (
              SELECT Arrival, rowNumberInAllBlocks() AS number FROM (SELECT Arrival FROM ${OWN}.arrivals ORDER BY Arrival)
            ) WHERE number % ${BATCH} = 0 ORDER BY Arrival`,
    format: 'JSONEachRow',
  })
  const time = (nanos) => `fromUnixTimestamp64Nano(${nanos})`
  const starts = (await result.json()).map(({ at }) => at)
  return starts.map((at, index) => ({
    sliceBefore: time(starts[index - 1] ?? at),
    sliceFrom: time(at),
    sliceTo: time(starts[index + 1] ?? '9000000000000000000'),
  }))
}

const insertOf = (database, slice) => fill(sql('spans.sql'), { database, own: OWN, textLength: TEXT_LENGTH, ...slice })

/** CPU seconds a million rows when slices of so many are made but not stored. */
async function cpuOfRows(client, pid, database, slices, millions) {
  const before = await cpuSeconds(pid)
  for (const slice of slices) {
    const [, select] = insertOf(database, slice).split(/^\)\n/m)
    await run(client, `${select} FORMAT Null`)
  }
  return ((await cpuSeconds(pid)) - before) / millions
}
