import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'

import { runQuery, type DataSource } from '../../dashboards/query/run-query.js'
import { startTestApp, type TestApp } from '../server/test-app.js'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { jsonData } = parse(read('dashboards/provisioning/datasources/planspan.yaml')).datasources[0]

// The trace query of the plugin's Explore and trace links, as of 4.20, from the data source's trace settings.
function traceQuery(traceId: string): string {
  const { defaultTable, traceTimestampTableSuffix } = jsonData.traces
  const pairs = (column: string) => `arrayMap(key -> map('key', key, 'value', "${column}"[key]), mapKeys("${column}"))`
  const fields = `arrayMap(key -> map('key', key, 'value', attributes[key]), mapKeys(attributes))`
  return `
    WITH
      '${traceId}' AS __gf_trace_id,
      (SELECT min(Start) FROM "${defaultTable}${traceTimestampTableSuffix}" WHERE TraceId = __gf_trace_id) AS __gf_trace_start,
      (SELECT max(End) + 1 FROM "${defaultTable}${traceTimestampTableSuffix}" WHERE TraceId = __gf_trace_id) AS __gf_trace_end
    SELECT
      "TraceId" AS traceID, "SpanId" AS spanID, "ParentSpanId" AS parentSpanID,
      "ServiceName" AS serviceName, "SpanName" AS operationName,
      multiply(toUnixTimestamp64Nano("Timestamp"), 0.000001) AS startTime, multiply("Duration", 0.000001) AS duration,
      ${pairs('SpanAttributes')} AS tags, ${pairs('ResourceAttributes')} AS serviceTags,
      if("StatusCode" IN ('Error', 'STATUS_CODE_ERROR'), 2, 0) AS statusCode,
      arrayMap(
        (name, timestamp, attributes) -> tuple(name, toString(toUnixTimestamp64Milli(timestamp)), ${fields})
          ::Tuple(name String, timestamp String, fields Array(Map(String, String))),
        "Events".Name, "Events".Timestamp, "Events".Attributes
      ) AS logs,
      arrayMap(
        (traceID, spanID, attributes) -> tuple(traceID, spanID, ${fields})
          ::Tuple(traceID String, spanID String, tags Array(Map(String, String))),
        "Links".TraceId, "Links".SpanId, "Links".Attributes
      ) AS references,
      "SpanKind" AS kind, "StatusMessage" AS statusMessage, "ScopeName" AS instrumentationLibraryName,
      "ScopeVersion" AS instrumentationLibraryVersion, "TraceState" AS traceState
    FROM "${defaultTable}"
    WHERE traceID = __gf_trace_id AND "Timestamp" >= __gf_trace_start AND "Timestamp" <= __gf_trace_end`
}

describe('the plugin’s own trace query over the data source’s trace table', () => {
  let app: TestApp
  let source: DataSource

  beforeAll(async () => {
    app = await startTestApp()
    source = { url: inject('clickhouseReaderUrl'), database: app.store.database }
  })
  afterAll(() => app.close())

  test.each([
    'lynxe/legacy-details-running.json',
    'trajectory/execution_trajectory.json',
    'plan-act/default-mock/chat.sse',
  ])('returns the spans of %s once each, however often they were sent', async (path) => {
    const bytes = Buffer.from(read(`test/fixtures/${path}`))
    const [record] = await app.importRecords(bytes)
    await app.importRecords(bytes)
    const spans = record?.spans ?? []
    const range = { from: new Date(0), to: new Date() }
    const query = { refId: 'A', rawSql: traceQuery(spans[0]?.traceId ?? ''), format: 3 }
    const { frame } = await runQuery(source, query, [], { range, intervalMs: 1000 })
    const column = (name: string) => frame.fields.find((field) => field.name === name)?.values ?? []
    expect([...column('spanID')].sort()).toEqual(spans.map(({ spanId }) => spanId).sort())
    expect([...column('operationName')].sort()).toEqual(spans.map(({ name }) => name).sort())
    expect(column('logs').flat()).toHaveLength(spans.reduce((sum, { events }) => sum + events.length, 0))
  })
})
