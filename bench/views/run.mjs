// Asks each view what a dashboard asks, beside the same question asked of the span table by hand; then how much disk
// planspan's own tables take. npm run build && node bench/views/run.mjs [--spans 1000000] [--rounds 5]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { generatePlans } from '../../dist/generate/index.js'
import { ATTR } from '../../dist/semconv/index.js'
import { startServer } from '../../dist/server/index.js'
import { createStoreClient } from '../../dist/store/index.js'
import { createSpanSender } from '../../dist/sender/index.js'
import { machine } from '../figures.mjs'
import { cpuSeconds } from '../ingest/processes.mjs'
import { questions } from './questions.mjs'

const { values: options } = parseArgs({
  options: { spans: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '5' } },
})
const wanted = Number(options.spans)
const rounds = Number(options.rounds)
const UNTIL = Date.parse('2026-03-14T12:00:00Z')
const BASE = { plans: Math.min(2000, Math.ceil(wanted / 33)), days: 30, seed: 'bench', until: UNTIL }
const IDS = [ATTR.planId, ATTR.planRootId, ATTR.planParentId, ATTR.recordKey, ATTR.stepId, ATTR.toolCallId]

const directory = mkdtempSync(join(tmpdir(), 'planspan-bench-'))
const server = await startServer({ dataDirectory: directory, port: 0 })
const client = createStoreClient({ url: server.clickhouseUrl })
const command = (query) =>
  client.command({
    query: query.replaceAll('@', 'otel.'),
    clickhouse_settings: { max_partitions_per_insert_block: '0' },
  })
const rows = async (query) => (await client.query({ query, format: 'JSONEachRow' })).json()
try {
  await makeUp()
  const onDisk = await disk()
  await copy()
  const [{ spans, plans }] = await rows(
    'SELECT toUInt32(count()) AS spans, toUInt32(uniq(TraceId)) AS plans FROM otel.otel_traces',
  )
  const [{ version }] = await rows('SELECT version() AS version')
  console.log(`${machine()}; ClickHouse ${version}`)
  console.log(`${spans} spans of ${plans} plans over 30 days\n`)
  await measure()
  console.log(`\n${onDisk}`)
} finally {
  await client.close()
  await server.close()
  rmSync(directory, { recursive: true, force: true })
}

/** Some plans are made up and come through the receiver. */
async function makeUp() {
  const services = new Map()
  for (const { service, spans } of generatePlans(BASE)) {
    if (!services.has(service)) services.set(service, [])
    services.get(service).push(...spans)
  }
  for (const [serviceName, spans] of services) {
    await createSpanSender({ url: `${server.url}/v1/traces`, serviceName }).send(spans)
  }
  await optimize()
}

/** The rest are copies of them under ids of their own, which take next to no disk. */
async function copy() {
  await command('CREATE TABLE @base ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM @otel_traces')
  const [{ base }] = await rows('SELECT toUInt32(count()) AS base FROM otel.base')
  for (let copy = 1; copy * base < wanted; copy++) {
    await command(`INSERT INTO @otel_traces SELECT * REPLACE (
        lower(hex(MD5(concat(TraceId, '${copy}')))) AS TraceId,
        mapApply((key, value) -> (key, if(key IN (${IDS.map((id) => `'${id}'`).join(', ')}), concat(value, '-${copy}'), value)), SpanAttributes) AS SpanAttributes,
        arrayMap(id -> lower(hex(MD5(concat(id, '${copy}')))), \`Links.TraceId\`) AS \`Links.TraceId\`
      ) FROM @base`)
  }
  await command('DROP TABLE @base SYNC')
  await optimize()
}

async function optimize() {
  for (const table of ['otel_traces', 'plan_keys', 'plan_states', 'otel_traces_trace_id_ts']) {
    await command(`OPTIMIZE TABLE @${table} FINAL`)
  }
}

/**
 * The fastest of some rounds, milliseconds, and the processor time that ClickHouse took for a round: other programs
 * slow the first.
 */
async function time(sql) {
  const query = sql.replaceAll(/\b(FROM|JOIN) ([a-z_]+)/g, '$1 otel.$2')
  const times = []
  const before = await processorMs()
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await (await client.query({ query, format: 'TabSeparated' })).text()
    times.push(performance.now() - began)
  }
  return [Math.min(...times), ((await processorMs()) - before) / rounds].map(Math.round)
}

const processorMs = async () => (await cpuSeconds(server.embedded.pid)) * 1000

async function measure() {
  const day = questions("Timestamp >= '2026-03-13 12:00:00'")
  const month = questions('true')
  console.log(`Milliseconds, the best of ${rounds} / of processor time: a view, and the span table by hand\n`)
  console.log('| view | a day | by hand | 30 days | by hand |\n|---|---|---|---|---|')
  for (const [index, { view, sql, raw }] of day.entries()) {
    const cells = []
    for (const query of [sql, raw, month[index].sql, month[index].raw]) cells.push((await time(query)).join(' / '))
    console.log(`| ${view} | ${cells.join(' | ')} |`)
  }
}

async function disk() {
  const tables = await rows(
    `SELECT table, toUInt64(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE database = 'otel' AND active GROUP BY table ORDER BY bytes DESC`,
  )
  const of = (name) => Number(tables.find(({ table }) => table === name)?.bytes ?? 0)
  const collector = of('otel_traces') + of('otel_traces_trace_id_ts')
  const own = tables.filter(({ table }) => !table.startsWith('otel_traces'))
  const share = (bytes) => `${((100 * bytes) / of('otel_traces')).toFixed(1)}%`
  return [
    `${BASE.plans} plans on disk: otel_traces ${(of('otel_traces') / 1e6).toFixed(1)} MB, its own lookup ${share(collector - of('otel_traces'))} of that`,
    ...own.map(({ table, bytes }) => `${table} ${share(Number(bytes))}`),
    `planspan's own tables together ${share(own.reduce((sum, { bytes }) => sum + Number(bytes), 0))}`,
  ].join(', ')
}
