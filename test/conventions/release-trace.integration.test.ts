import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStoreClient } from '../../src/store/index.js'
import { type RunningServer, startServer } from '../../src/server/index.js'
import type { RecordPage } from '../../src/wire/index.js'
import { runCli } from '../cli/run-cli.js'
import { encodeLogs } from '../otlp/encode-logs.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { emitReleaseTrace, RECORD } from './release-trace.js'

let fresh: FreshDatabase
let server: RunningServer
let client: ReturnType<typeof createStoreClient>
beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ port: 0, clickhouse: fresh.url, database: fresh.database })
  client = createStoreClient({ url: fresh.url })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
}, 60_000)
afterAll(async () => {
  context.disable()
  await client.close()
  await server.close()
  await fresh.drop()
})

/** Sends the trace with an exporter, and its log records. Returns its id. */
async function send(Exporter: typeof JsonExporter | typeof ProtobufExporter): Promise<string> {
  const exporter = new Exporter({ url: `${server.url}/v1/traces` })
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const logs = emitReleaseTrace(provider)
  await provider.shutdown()
  const headers = { 'content-type': 'application/x-protobuf' }
  const body = encodeLogs(logs) as Uint8Array<ArrayBuffer>
  const response = await fetch(`${server.url}/v1/logs`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  const [resource] = logs.resourceLogs
  return resource?.scopeLogs?.[0]?.logRecords?.[0]?.traceId ?? ''
}

/** The evaluation of the last model call, which was a log record. */
const EVALUATED = {
  thinkActSteps: [{}, {}, { planspan: { modelCalls: [{ evaluations: [{ name: 'relevance', score: 0.75 }] }] } }],
}

test.each([
  ['JSON', JsonExporter],
  ['protobuf', ProtobufExporter],
])(
  'a trace of the released conventions, sent as %s, is one plan in the record, the list and SQL',
  async (_, Exporter) => {
    const traceId = await send(Exporter)
    const response = await fetch(`${server.url}/api/records/${traceId}`)
    expect(response.headers.get('planspan-verdict')).toBe('complete')
    const record: unknown = await response.json()
    expect(record).toMatchObject(RECORD)
    expect(record).toMatchObject({ agentExecutionSequence: [EVALUATED] })

    const page = (await (await fetch(`${server.url}/api/records?trace=${traceId}`)).json()) as RecordPage
    expect(page.records).toMatchObject([
      { traceId, title: 'trip', state: 'completed', inputTokens: 300, outputTokens: 30 },
    ])

    const select = async (query: string): Promise<unknown> =>
      (await client.query({ query, query_params: { traceId }, format: 'JSONEachRow' })).json()
    const from = (view: string) => `FROM ${fresh.database}.${view} WHERE TraceId = {traceId:String}`
    expect(await select(`SELECT Title, State ${from('plans')}`)).toEqual([{ Title: 'trip', State: 'completed' }])
    expect(await select(`SELECT TotalTokens, ModelCalls ${from('plan_usage')}`)).toEqual([
      { TotalTokens: '330', ModelCalls: 2 },
    ])
    expect(
      await select(`SELECT Model, CacheWriteTokens, CostUsd ${from('model_calls')} ORDER BY Timestamp`),
    ).toMatchObject([
      { Model: 'gpt-5', CacheWriteTokens: '30', CostUsd: 0.5 },
      { Model: 'gpt-5', CacheWriteTokens: '20' },
    ])
    expect(await select(`SELECT ToolName ${from('tool_calls')} ORDER BY Timestamp`)).toEqual(
      ['search_memory', 'load_skill', 'search', 'retrieval docs'].map((ToolName) => ({ ToolName })),
    )

    const { stdout } = await runCli(['doctor', '--trace', traceId, '--endpoint', server.url])
    expect(String(stdout)).toContain('acme.mood')
  },
  60_000,
)
