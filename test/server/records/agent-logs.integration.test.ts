import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import type { RecordPage } from '../../../src/wire/index.js'
import type { LogJson, LogsJson } from '../../otlp/encode-logs.js'
import { startTestApp, type TestApp } from '../test-app.js'

interface Sent {
  readonly traces?: object
  readonly logs: LogsJson
}

const sentBy = (agent: string): Sent =>
  JSON.parse(readFileSync(new URL(`../../fixtures/agent-logs/${agent}.otlp.json`, import.meta.url), 'utf8')) as Sent

async function post({ app }: TestApp, signal: 'traces' | 'logs', body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await app.request(`/v1/${signal}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([answer.status, await answer.text()]).toEqual([200, '{}'])
}

/** The log records of a request, each in a request of its own. */
const oneByOne = ({ resourceLogs }: LogsJson): LogsJson[] =>
  resourceLogs.flatMap(({ scopeLogs = [], ...resource }) =>
    scopeLogs.flatMap(({ logRecords = [], ...scope }) =>
      logRecords.map((log: LogJson) => ({
        resourceLogs: [{ ...resource, scopeLogs: [{ ...scope, logRecords: [log] }] }],
      })),
    ),
  )

const merged = (requests: readonly LogsJson[]): LogsJson => ({
  resourceLogs: requests.flatMap(({ resourceLogs }) => resourceLogs),
})

const SESSION = /"key":"(?:session|conversation)\.id","value":\{"stringValue":"([^"]+)"/

interface Read {
  readonly plans: readonly object[]
  readonly verdict: string | null
  readonly record: string
  readonly calls: readonly object[]
}

async function read({ app, store, index }: TestApp): Promise<Read> {
  const { records } = (await (await app.request('/api/records')).json()) as RecordPage
  const answer = await app.request(`/api/records/${records[0]?.planId ?? ''}`)
  await index()
  const rows = await store.client.query({
    query:
      `SELECT * FROM (SELECT 'model' AS Kind, toString(Model) AS Name, InputTokens AS Input FROM ${store.database}.model_calls UNION ALL ` +
      `SELECT 'tool', ToolName, 0 FROM ${store.database}.tool_calls) ORDER BY Kind, Name, Input`,
    format: 'JSONEachRow',
  })
  return {
    plans: records.map(({ state, inputTokens, outputTokens, errors }) => ({
      state,
      inputTokens,
      outputTokens,
      errors,
    })),
    verdict: answer.headers.get('planspan-verdict'),
    record: answer.ok ? await answer.text() : '',
    calls: await rows.json(),
  }
}

async function after(send: (app: TestApp) => Promise<void>): Promise<Read> {
  const app = await startTestApp()
  try {
    await send(app)
    return await read(app)
  } finally {
    await app.close()
  }
}

describe('the log records of a coding agent', () => {
  it.each([
    ['claude-code', ['Bash', 'Read', 'Read']],
    ['codex', ['exec_command', 'shell', 'shell']],
    ['gemini-cli', ['read_file', 'read_file', 'run_shell_command']],
    ['qwen-code', ['read_file', 'read_file', 'run_shell_command']],
  ])('are one plan per prompt: %s', async (agent, tools) => {
    const { traces, logs } = sentBy(agent)
    const found = await after(async (app) => {
      if (traces) await post(app, 'traces', traces)
      await post(app, 'logs', logs)
    })
    expect(found.plans).toMatchObject([{ state: 'completed', inputTokens: 611, outputTokens: 65 }])
    expect(found.verdict).toBe('partial')
    expect(found.record).toContain('What is in note.txt?')
    expect(found.record).toContain(SESSION.exec(JSON.stringify(logs))?.[1])
    expect(found.calls.filter((call) => (call as { Kind: string }).Kind === 'tool')).toEqual(
      tools.map((Name) => ({ Kind: 'tool', Name, Input: expect.anything() as unknown })),
    )
  })

  it('give the same plan in any order, in several requests, and twice', async () => {
    const { logs } = sentBy('claude-code')
    const expected = await after((app) => post(app, 'logs', logs))
    const each = oneByOne(logs)
    const found = await after(async (app) => {
      await post(app, 'logs', merged(each.slice(8).reverse()))
      await read(app)
      await post(app, 'logs', merged(each.slice(0, 8).reverse()))
      await read(app)
      await post(app, 'logs', logs)
    })
    expect(found).toEqual(expected)
  })

  it('are erased with their plan', async () => {
    const app = await startTestApp()
    try {
      const { logs } = sentBy('codex')
      await post(app, 'logs', logs)
      const { records } = (await (await app.app.request('/api/records')).json()) as RecordPage
      await app.store.erase(records[0]?.planId ?? '')
      const query = `SELECT countIf(mapContains(LogAttributes, 'conversation.id')) AS left FROM ${app.store.database}.otel_logs`
      const rows = await app.store.client.query({ query, format: 'JSONEachRow' })
      expect(await rows.json()).toEqual([{ left: '0' }])
      expect(await read(app)).toMatchObject({ plans: [], calls: [] })
    } finally {
      await app.close()
    }
  })

  it('are not read a second time beside the spans of the agent', async () => {
    const { traces = {}, logs } = sentBy('claude-code-traces')
    const spans = await after((app) => post(app, 'traces', traces))
    const both = await after(async (app) => {
      await post(app, 'logs', logs)
      await post(app, 'traces', traces)
    })
    expect(both.plans).toEqual(spans.plans)
    expect(both.plans).toHaveLength(1)
  })
})
