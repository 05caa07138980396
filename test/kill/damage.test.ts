import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'

import { runCli, startServe, type Serving } from '../cli/run-cli.js'
import { execute } from '../support/clickhouse.js'
import { PlanSender } from './plan-sender.js'

const PLANS = 12
/** The plans, and a run of another instrumentation, which waits for the result of a call. */
const LISTED = PLANS + 1
const PATIENCE = { timeout: 30_000, interval: 200 }

type Damage = (part: string) => void

const removeFile: Damage = (part) => {
  rmSync(join(part, readdirSync(part).find((name) => name.endsWith('.bin')) ?? ''))
}

const truncateFile: Damage = (part) => truncateSync(join(part, 'columns.txt'), 3)

/** A server with stored plans, whose parts of a table are damaged while it is stopped. */
async function damaged(table: string, damage: Damage) {
  const data = mkdtempSync(join(tmpdir(), 'planspan-damage-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  let log = ''
  const start = async (): Promise<Serving> => {
    const serving = await startServe(['--data', data], { log: (text) => (log += text) })
    onTestFinished(() => void serving.child.kill('SIGKILL'))
    return serving
  }
  const first = await start()
  const sender = new PlanSender(first.line)
  await sender.send(PLANS)
  await sendWaitingRun(first)
  // The journal of another server, which was killed.
  await execute(first.clickhouse.url, `INSERT INTO otel.otlp_journal (Segment, Body) VALUES ('killed', 'x')`)
  await vi.waitFor(async () => expect(await listed(first)).toHaveLength(LISTED), PATIENCE)
  const parts = await execute(
    first.clickhouse.url,
    `SELECT path FROM system.parts WHERE database = 'otel' AND table = '${table}' AND active FORMAT TSV`,
  )
  const paths = parts.trim().split('\n')
  expect(paths).not.toContain('')
  await first.end('SIGTERM')
  for (const path of paths) damage(path)
  const serving = await start()
  return { serving, plans: sender.acknowledged, log: () => log }
}

async function sendWaitingRun({ line }: Serving): Promise<void> {
  const asked = [{ type: 'tool_call', id: 'c1', name: 'pay', arguments: {} }]
  const texts = (attributes: Record<string, string>) =>
    Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }))
  const end = BigInt(Date.now()) * 1_000_000n
  const span = (spanId: string, parentSpanId: string, attributes: Record<string, string>) => ({
    traceId: 'c'.repeat(32),
    spanId,
    parentSpanId,
    name: 'run',
    startTimeUnixNano: String(end - 1_000_000n),
    endTimeUnixNano: String(end),
    attributes: texts(attributes),
  })
  const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.conversation.id': 'talk' }
  const spans = [
    span('a'.repeat(16), '', { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'payer' }),
    span('b'.repeat(16), 'a'.repeat(16), {
      ...model,
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: asked }]),
    }),
  ]
  const response = await fetch(`${line.url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'other' }, spans }] }] }),
  })
  expect(response.status).toBe(200)
}

const get = async ({ line }: Serving, path: string) => {
  const response = await fetch(`${line.url}${path}`, { signal: AbortSignal.timeout(30_000) })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function listed(serving: Serving): Promise<readonly { readonly planId: string }[]> {
  const { text } = await get(serving, '/api/records?limit=200')
  return (JSON.parse(text) as { readonly records: readonly { readonly planId: string }[] }).records
}

const verdictOf = async (serving: Serving, planId: string) => {
  const { status, headers } = await get(serving, `/api/records/${planId}`)
  return [status, headers.get('planspan-verdict')]
}

it.each([
  ['a removed file', removeFile],
  ['a truncated file', truncateFile],
])('lost spans are reported, and their plans have partial records: %s', async (_, damage) => {
  const { serving, plans, log } = await damaged('otel_traces', damage)
  await vi.waitFor(() => expect(log()).toMatch(/could not read the part \S+ of the table otel_traces/), PATIENCE)
  const { status, text } = await get(serving, '/readyz')
  const { degraded } = JSON.parse(text) as { readonly degraded: readonly { readonly table: string }[] }
  expect([status, [...new Set(degraded.map((part) => part.table))]]).toEqual([200, ['otel_traces']])
  expect((await get(serving, '/metrics')).text).toMatch(/planspan_broken_parts [1-9]/)
  const { out } = await runCli(['doctor', '--endpoint', serving.line.url])
  expect(out).toMatch(/warn {2}ClickHouse could not read the part \S+ of the table otel_traces/)
  for (const plan of plans) expect([plan, ...(await verdictOf(serving, plan))]).toEqual([plan, 200, 'partial'])
  const record = await get(serving, `/api/records/${plans[0]!}?fields=verdict`)
  expect(record.text).toContain('1 span that is no longer stored')
  expect(await listed(serving)).toHaveLength(LISTED)
})

it.each(['plan_keys', 'otel_traces_trace_id_ts', 'plan_rows', 'span_rows', 'index_watermarks', 'link_rows'])(
  'rows of %s are derived from the spans again, so that nothing is missing',
  async (table) => {
    const { serving, plans } = await damaged(table, removeFile)
    await vi.waitFor(async () => {
      expect(await listed(serving)).toHaveLength(LISTED)
      for (const plan of plans) expect([plan, ...(await verdictOf(serving, plan))]).toEqual([plan, 200, 'complete'])
    }, PATIENCE)
    await vi.waitFor(async () => {
      const { text } = await get(serving, '/readyz')
      expect(JSON.parse(text)).not.toHaveProperty('degraded')
    }, PATIENCE)
  },
)

it('a damaged journal is reported, and prevents no start', async () => {
  const { serving, plans, log } = await damaged('otlp_journal', removeFile)
  await vi.waitFor(() => expect(log()).toMatch(/could not read the part \S+ of the table otlp_journal/), PATIENCE)
  for (const plan of plans) expect((await verdictOf(serving, plan))[0]).toBe(200)
})
