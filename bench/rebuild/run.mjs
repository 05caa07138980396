// Reads one plan of 50 spans among many: planspan's lookup beside a plain SELECT over the span table.
// npm run build && node bench/rebuild/run.mjs [--spans 1000000] [--rounds 200] [--clickhouse URL]
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { startClickHouse } from '../../dist/clickhouse/index.js'
import { ATTR } from '../../dist/semconv/index.js'
import { createStore } from '../../dist/store/index.js'
import { machine, quantile } from '../figures.mjs'

const { values: options } = parseArgs({
  options: {
    spans: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '200' },
    clickhouse: { type: 'string' },
  },
})
const SPANS_A_PLAN = 50
const BATCH = 100_000
const WEEK_MS = 7 * 86_400_000
const spans = Number(options.spans)
const rounds = Number(options.rounds)
const plans = spans / SPANS_A_PLAN

const directory = mkdtempSync(join(tmpdir(), 'planspan-bench-'))
const embedded = options.clickhouse ? undefined : await startClickHouse({ dataDirectory: directory })
const database = `bench_${randomUUID().replaceAll('-', '')}`
const store = createStore({ url: options.clickhouse ?? embedded.url, database })
try {
  await store.migrate()
  const generateMs = await generate()
  const { version } = await store.ping()
  console.log(`${machine()}; ClickHouse ${version}`)
  console.log(`${spans} spans in ${plans} plans, written in ${(generateMs / 1000).toFixed(1)} s; ${await storedSize()}`)
  await measure()
} finally {
  await store.client.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` })
  await store.close()
  await embedded?.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function generate() {
  const sql = readFileSync(new URL('generate.sql', import.meta.url), 'utf8')
  const started = performance.now()
  for (let first = 0; first < spans; first += BATCH) {
    const values = {
      database,
      first,
      count: Math.min(BATCH, spans - first),
      planIntervalMs: Math.floor(WEEK_MS / plans),
    }
    const query = sql.replaceAll(/\$\{(?:ATTR\.)?(\w+)\}/g, (_, name) => values[name] ?? `'${ATTR[name]}'`)
    await store.client.command({
      query,
      clickhouse_settings: { deduplicate_blocks_in_dependent_materialized_views: 1 },
    })
  }
  return performance.now() - started
}

async function storedSize() {
  const result = await store.client.query({
    query: `SELECT table, formatReadableSize(sum(bytes_on_disk)) AS size, count() AS parts FROM system.parts
            WHERE active AND database = '${database}' AND rows > 0 GROUP BY table ORDER BY sum(bytes_on_disk) DESC LIMIT 4`,
    format: 'JSONEachRow',
  })
  return (await result.json()).map(({ table, size, parts }) => `${table} ${size} in ${parts} parts`).join(', ')
}

/** What planspan does for GET /api/records/{planId}, without decoding. */
async function byLookup(planId) {
  const selected = await store.reader.selectTrace(planId)
  return selected ? (await store.reader.readTrace(selected.traceId)).length : 0
}

/** What a person would write. */
async function bySelect(planId) {
  const result = await store.client.query({
    query: `SELECT * FROM ${database}.otel_traces WHERE SpanAttributes['${ATTR.planId}'] = {planId:String}`,
    query_params: { planId },
    format: 'JSONEachRow',
  })
  return (await result.json()).length
}

async function measure() {
  const ways = {
    lookup: byLookup,
    select: bySelect,
    list: () => store.reader.listPlans().then(({ plans }) => plans.length),
  }
  const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
  const expected = { lookup: SPANS_A_PLAN, select: SPANS_A_PLAN, list: Math.min(50, plans) }
  for (let round = -5; round < rounds; round++) {
    // Plans all over the week, each asked for once, so that no answer comes out of a cache for its own plan.
    const planId = `plan-${(((round + 5) * 7919) % plans).toString()}`
    for (const [way, read] of Object.entries(ways)) {
      if (way !== 'lookup' && round % 10 !== 0) continue
      const started = performance.now()
      const count = await read(planId)
      const elapsed = performance.now() - started
      if (count !== expected[way]) throw new Error(`${way} read ${count} rows of ${planId}, not ${expected[way]}`)
      if (round >= 0) times[way].push(elapsed)
    }
  }
  for (const [way, values] of Object.entries(times)) {
    console.log(
      `${way.padEnd(7)} p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms (${values.length} times)`,
    )
  }
  const ratio = quantile(times.select, 0.5) / quantile(times.lookup, 0.5)
  console.log(`planspan's lookup takes 1/${ratio.toFixed(1)} of the plain SELECT's time`)
}
