import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { RecordPage } from '../../../src/wire/index.js'
import type { LogJson, LogsJson } from '../../otlp/encode-logs.js'
import { startTestApp, type TestApp } from '../test-app.js'

interface Sent {
  readonly traces: object
  readonly logs?: LogsJson
}

const fixture = (name: string): Sent =>
  JSON.parse(readFileSync(new URL(`../../fixtures/genai-events/${name}.otlp.json`, import.meta.url), 'utf8')) as Sent

const spanOnly = fixture('span-only')
const eventOnly = fixture('event-only')

interface Read {
  readonly record: unknown
  readonly verdict: string | null
  readonly plans: readonly object[]
}

async function post({ app }: TestApp, signal: 'traces' | 'logs', body: object | undefined): Promise<void> {
  if (!body) return
  const headers = { 'content-type': 'application/json' }
  const answer = await app.request(`/v1/${signal}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([answer.status, await answer.text()]).toEqual([200, '{}'])
}

/**
 * Leaves out which values of a tool call were taken from the messages of models: with EVENT_ONLY, the instrumentation
 * sends them nowhere else.
 */
function withoutOrigin(this: Record<string, unknown>, key: string, value: unknown): unknown {
  return key === 'planspan' && 'parameters' in this ? undefined : value
}

async function read({ app }: TestApp): Promise<Read> {
  const { records } = (await (await app.request('/api/records')).json()) as RecordPage
  const answer = await app.request(`/api/records/${records[0]?.planId ?? ''}`)
  const text = await answer.text()
  return {
    record: answer.ok ? JSON.parse(text, withoutOrigin) : text,
    verdict: answer.headers.get('planspan-verdict'),
    plans: records.map(({ planId, state, inputTokens, outputTokens, errors }) => ({
      planId,
      state,
      inputTokens,
      outputTokens,
      errors,
    })),
  }
}

/** What a new store returns after some requests. */
async function after(send: (app: TestApp) => Promise<void>): Promise<Read> {
  const app = await startTestApp()
  try {
    await send(app)
    return await read(app)
  } finally {
    await app.close()
  }
}

/** A log record of the last span that has one. */
const logOf = (change: LogJson): LogsJson => {
  const [resource] = eventOnly.logs?.resourceLogs ?? []
  const log = resource?.scopeLogs?.at(-1)?.logRecords?.at(-1)
  return { resourceLogs: [{ ...resource, scopeLogs: [{ logRecords: [{ ...log, ...change }] }] }] }
}

let spans: Read
let expected: Read

beforeAll(async () => {
  spans = await after((app) => post(app, 'traces', eventOnly.traces))
  expected = await after((app) => post(app, 'traces', spanOnly.traces))
})

describe('content in log records', () => {
  it.each(['event-only', 'span-and-event'])('gives the record that content on spans gives: %s', async (name) => {
    const { traces, logs } = fixture(name)
    const found = await after(async (app) => {
      await post(app, 'traces', traces)
      await post(app, 'logs', logs)
    })
    expect(found).toEqual(expected)
    expect(JSON.stringify(found.record)).toContain('It is sunny in Lima.')
    expect(JSON.stringify(spans.record)).not.toContain('It is sunny in Lima.')
  })

  it('arrives before its spans, after the plan was listed, or twice, with the same result', async () => {
    const { traces, logs } = eventOnly
    const inOrder = await after(async (app) => {
      await post(app, 'traces', traces)
      await read(app)
      await post(app, 'logs', logs)
      await read(app)
      await post(app, 'logs', logs)
    })
    const before = await after(async (app) => {
      await post(app, 'logs', logs)
      expect((await read(app)).plans).toEqual([])
      await post(app, 'traces', traces)
    })
    expect(before).toEqual(inOrder)
  })
})

it('a log record of a span that never comes changes nothing', async () => {
  const found = await after(async (app) => {
    await post(app, 'traces', spanOnly.traces)
    await post(app, 'logs', logOf({ spanId: 'aaaaaaaaaaaaaaaa' }))
    await post(app, 'logs', logOf({ traceId: 'a'.repeat(32) }))
    await post(app, 'logs', logOf({ traceId: '', spanId: '' }))
  })
  expect(found).toEqual(expected)
})

describe('an exception in a log record', () => {
  const exception = logOf({
    eventName: 'gen_ai.client.operation.exception',
    attributes: [
      { key: 'exception.type', value: { stringValue: 'RateLimitError' } },
      { key: 'exception.message', value: { stringValue: 'slow down' } },
    ],
  })
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    await post(app, 'traces', spanOnly.traces)
    await read(app)
    await post(app, 'logs', exception)
    await post(app, 'logs', exception)
  })
  afterAll(() => app.close())

  it('is an error of its span, once', async () => {
    const { plans, record } = await read(app)
    const [plan] = plans as { planId: string; errors?: number }[]
    const faults = await (await app.app.request(`/api/records/${plan?.planId ?? ''}/faults`)).text()
    expect(faults.split('slow down').length - 1).toBe(1)
    expect(JSON.stringify(record)).not.toBe('')
  })

  it('is an event of its span in a tracing UI', async () => {
    const { plans } = await read(app)
    const [plan] = plans as { planId: string }[]
    const found = []
    for await (const spans of app.store.traces.streamTraces([plan?.planId ?? ''])) found.push(...spans)
    expect(found).toHaveLength(5)
    expect(found.flatMap(({ events }) => events.map(({ attributes }) => attributes['exception.message']))).toEqual([
      'slow down',
    ])
  })

  it('is erased with its plan', async () => {
    const { plans } = await read(app)
    const [plan] = plans as { planId: string }[]
    const logs = () =>
      app.store.client.query({
        query: `SELECT count() AS n FROM ${app.store.database}.otel_logs`,
        format: 'JSONEachRow',
      })
    expect(await (await logs()).json()).toEqual([{ n: '2' }])
    await app.store.erase(plan?.planId ?? '')
    expect(await (await logs()).json()).toEqual([{ n: '0' }])
    expect((await read(app)).plans).toEqual([])
  })
})
