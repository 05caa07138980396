import { openIndexers } from '../../dist/indexer/index.js'
import { ATTR } from '../../dist/semconv/index.js'
import { cpuSeconds } from '../ingest/processes.mjs'
import { indexAll } from './index-all.mjs'

const SPANS = 30_000
const PIECES = 300

/** A plan with one agent and cycles of a model call and a tool call each, in so many inserts, a second apart. */
export async function measureGrowth(open) {
  const once = await open('once')
  await insertSpans(once, 0, SPANS)
  const whole = await indexAll(once)
  const growing = await open('growing')
  const before = { node: process.cpuUsage(), clickhouse: await cpuSeconds(growing.clickhousePid) }
  const indexer = await openIndexers(growing)
  const begun = Date.now()
  for (let piece = 0; piece < PIECES; piece++) {
    await insertSpans(growing, (piece * SPANS) / PIECES, SPANS / PIECES)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + (piece + 1) * 1000 - Date.now())))
  }
  await indexer.catchUp()
  await indexer.close()
  const { user, system } = process.cpuUsage(before.node)
  const clickhouse = (await cpuSeconds(growing.clickhousePid)) - before.clickhouse
  const row = (name, node, ch) => ({
    '30,000 spans': name,
    'Node, CPU s': node.toFixed(1),
    'ClickHouse, CPU s': ch.toFixed(1),
  })
  return [row('at once', whole.node, whole.clickhouse), row(`in ${PIECES} inserts`, (user + system) / 1e6, clickhouse)]
}

const key = (name) => `'${ATTR[name]}'`

const insertSpans = ({ client, database }, from, count) =>
  client.command({
    query: `INSERT INTO ${database}.otel_traces (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, ServiceName, Duration, StatusCode, SpanAttributes)
      WITH number AS n, toUInt64(n / 3) AS cycle, n % 3 AS kind
      SELECT
        toDateTime64('2026-03-04 12:00:00', 9) + INTERVAL n MILLISECOND,
        repeat('7', 32),
        hex(toUInt64(1000 + n)),
        multiIf(n = 0, '', n = 1, hex(1000::UInt64), kind = 2, hex(1001::UInt64), hex(toUInt64(1000 + n - kind - 1))),
        'span',
        'bench',
        1000000,
        'Unset',
        map(
          ${key('spanKind')}, multiIf(n = 0, 'plan', n = 1, 'agent', kind = 2, 'think_act', kind = 0, 'llm', 'tool'),
          ${key('planId')}, 'p', ${key('planRootId')}, 'p',
          ${key('usageInputTokens')}, '100', ${key('toolName')}, 'search', ${key('requestModel')}, 'gpt-4o',
          if(n < 2, ${key('spanState')}, 'none'), 'pending', if(n < 2, ${key('pendingSpanId')}, 'none'), hex(toUInt64(1000 + n))
        )
      FROM numbers(${from}, ${count})`,
  })
