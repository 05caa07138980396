// Fills docs/sql.md: the columns of the views, and the answer of each query over the plans that the page names. With
// --check it changes nothing, and exits with 1 if the page is not fresh. It uses the ClickHouse at CLICKHOUSE_URL, else
// its own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePlans } from '../dist/generate/index.js'
import { startServer } from '../dist/server/index.js'
import { createStoreClient } from '../dist/store/index.js'
import { STORED_COLUMNS } from '../dist/store/schema/stored-columns.js'
import { readViews } from '../dist/store/views/views.js'
import { createSpanSender } from '../dist/sender/index.js'
import { columnsSection } from './sql-columns.mjs'

const PAGE = new URL('../docs/sql.md', import.meta.url)
const CONVENTIONS = new URL('../docs/semantic-conventions.md', import.meta.url)
const PLANS = { plans: 300, days: 14, seed: 'docs', until: Date.parse('2026-03-14T12:00:00Z') }
const WITHOUT_COLUMNS = new Set(['spans', 'spans_trace_id_ts'])
const SPAN_TABLE = {
  name: 'otel_traces',
  comment:
    'The 22 columns of the collector’s exporter, and these columns, which ClickHouse computes from `SpanAttributes` when a span is ' +
    'inserted. `SELECT *` omits them.',
  columns: STORED_COLUMNS.map(({ name, type, brief, key }) => ({ name, type, comment: `${brief} [${key}]` })),
}
const LOG_TABLE = {
  name: 'otel_logs',
  comment:
    'The log records, in the 16 columns of the collector’s exporter. Those of a span are also its events in records ' +
    '([http.md](http.md#logs-and-metrics)).',
  columns: [
    ['Timestamp', 'DateTime64(9)', 'The time of the log record, else the time at which it was observed.'],
    ['TraceId', 'String', 'The trace; empty without one.'],
    ['SpanId', 'String', 'The span; empty without one.'],
    ['TraceFlags', 'UInt8', 'The flags of the trace.'],
    ['SeverityText', 'LowCardinality(String)', 'The severity as the program names it.'],
    ['SeverityNumber', 'UInt8', 'The severity, from 1 (trace) to 24 (fatal); 0 if unknown.'],
    ['ServiceName', 'LowCardinality(String)', 'The service.'],
    ['Body', 'String', 'The text of the log record, or JSON.'],
    ['ResourceSchemaUrl', 'LowCardinality(String)', 'The schema URL of the resource.'],
    ['ResourceAttributes', 'Map(LowCardinality(String), String)', 'The attributes of the resource.'],
    ['ScopeSchemaUrl', 'LowCardinality(String)', 'The schema URL of the instrumentation scope.'],
    ['ScopeName', 'String', 'The instrumentation scope.'],
    ['ScopeVersion', 'LowCardinality(String)', 'Its version.'],
    ['ScopeAttributes', 'Map(LowCardinality(String), String)', 'Its attributes.'],
    ['LogAttributes', 'Map(LowCardinality(String), String)', 'The attributes of the log record.'],
    ['EventName', 'String', 'The name of the event; empty for other log records.'],
  ].map(([name, type, comment]) => ({ name, type, comment })),
}
const BLOCK = /^```sql( setup)?\n([^]*?)^```\n(?:\n\|[^]*?\n(?=\n))?/gm

const data = mkdtempSync(join(tmpdir(), 'planspan-docs-'))
const database = process.env.CLICKHOUSE_DATABASE ?? 'otel'
const clickhouse = process.env.CLICKHOUSE_URL
const server = await startServer({ port: 0, database, dataDirectory: data, ...(clickhouse ? { clickhouse } : {}) })
const client = createStoreClient({ url: server.clickhouseUrl })

/** Runs the statements that the page's answers depend on. */
async function setUp(page) {
  for (const [, setup, sql] of page.matchAll(BLOCK)) if (setup) await client.command({ query: inDatabase(sql) })
}

async function load() {
  const senders = new Map()
  for (const { service, spans } of generatePlans(PLANS)) {
    const batch = senders.get(service) ?? []
    senders.set(service, [...batch, ...spans])
  }
  for (const [serviceName, spans] of senders) {
    await createSpanSender({ url: `${server.url}/v1/traces`, serviceName }).send(spans)
  }
  await indexed()
}

/** Resolves when the indexer has written the rows of all spans. A list alone waits for at most five seconds. */
async function indexed() {
  for (let attempt = 0; attempt < 60; attempt++) {
    await (await fetch(`${server.url}/api/records?limit=1`)).json()
    const { indexer } = await (await fetch(`${server.url}/readyz`)).json()
    if (indexer.pendingRows === 0) return
    await delay(1_000)
  }
  throw new Error('The indexer did not write the rows of the sample plans within a minute.')
}

const inDatabase = (sql) => sql.replaceAll(/\b(FROM|JOIN|INTO) ([a-z_]+)/g, `$1 ${database}.$2`)

async function answer(sql) {
  const result = await client.query({ query: inDatabase(sql), format: 'JSONCompactEachRowWithNames' })
  const [names, ...rows] = await result.json()
  const cell = (value) => (value === null ? 'NULL' : String(value).replaceAll('|', '\\|'))
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`
  if (rows.length === 0) throw new Error(`No row answers:\n${sql}`)
  return [line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n')
}

async function fill(page) {
  let filled = ''
  let at = 0
  for (const match of page.matchAll(BLOCK)) {
    const [block, setup, sql] = match
    filled += page.slice(at, match.index) + `\`\`\`sql${setup ?? ''}\n${sql}\`\`\`\n`
    at = match.index + block.length
    if (!setup) filled += `\n${await answer(sql)}\n`
  }
  const views = readViews().filter(({ name }) => !WITHOUT_COLUMNS.has(name))
  const columns = columnsSection(views, [SPAN_TABLE, LOG_TABLE], readFileSync(CONVENTIONS, 'utf8'))
  return (filled + page.slice(at)).replace(
    /(<!-- columns:[^\n]*-->\n)[^]*?(<!-- end -->)/,
    (_, start, end) => `${start}\n${columns}\n\n${end}`,
  )
}

// What the formatter aligns is the same table.
const bare = (text) => text.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---')

try {
  const page = readFileSync(PAGE, 'utf8')
  // Plans are written with the prices that are known when they are indexed.
  await setUp(page)
  await load()
  const fresh = await fill(page)
  if (!process.argv.includes('--check')) writeFileSync(PAGE, fresh)
  else if (bare(page) !== bare(fresh)) {
    const [was, is] = [bare(page).split('\n'), bare(fresh).split('\n')]
    const line = is.findIndex((text, index) => text !== was[index])
    console.error(`docs/sql.md is not fresh: run \`npm run docs\`. First difference:\n- ${was[line]}\n+ ${is[line]}`)
    process.exitCode = 1
  } else console.log(`${[...page.matchAll(BLOCK)].filter(([, setup]) => !setup).length} queries answered`)
} finally {
  await client.close()
  await server.close()
  rmSync(data, { recursive: true, force: true })
}
