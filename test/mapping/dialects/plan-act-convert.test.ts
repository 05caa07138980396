import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan, type DialectName } from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { plan } from '../../../src/tracing/index.js'
import { SERIALISATIONS, session, type DomainEvent } from '../../support/plan-act-records.js'
import { storedSpan } from '../../support/stored-spans.js'
import { installSdk, type InMemorySdk } from '../../tracing/in-memory-sdk.js'

const rowsOf = (text: string): StoredSpan[] =>
  [...encodeRecords(new TextEncoder().encode(text))][0]!.spans.map(toStoredSpan)

const convert = (rows: readonly StoredSpan[], format: DialectName): string => decodeRecord(rows, { format })!.text

const fixture = (path: string): string => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8')

const isUser = ({ data }: DomainEvent): boolean => data.type === 'message' && data['role'] === 'user'

const sseData = (text: string): { event: string; data: Record<string, unknown> }[] =>
  [...text.matchAll(/event: (.*)\r\ndata: (.*)\r\n/g)].map(([, event, data]) => ({
    event: event!,
    data: JSON.parse(data!) as Record<string, unknown>,
  }))

const lines = (text: string): { id: string; data: Record<string, unknown> }[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; data: Record<string, unknown> })

describe('domain events', () => {
  test('become the stream of the server, and its response', () => {
    fc.assert(
      fc.property(session, (events) => {
        const rows = rowsOf(SERIALISATIONS.redis(events))
        const shown = events.filter((event) => !isUser(event))
        expect(convert(rows, 'plan-act:sse')).toBe(SERIALISATIONS.sse(shown, { pings: false }))
        const answer = JSON.parse(convert(rows, 'plan-act:session')) as { data: { events: unknown } }
        const expected = JSON.parse(SERIALISATIONS.session(events)) as { data: { events: unknown } }
        expect(answer.data.events).toEqual(expected.data.events)
      }),
      { numRuns: 30 },
    )
  })

  test('of a real run become its real stream, except for the URLs that the server signs', () => {
    const made = convert(rowsOf(fixture('plan-act/default-mock/redis_output_stream.jsonl')), 'plan-act:sse')
    const unsigned = fixture('plan-act/default-mock/chat.sse')
      .replace(/"screenshot":"[^"]*\/(\w+)\?[^"]*"/g, '"screenshot":"$1"')
      .replace(/"file_url":"[^"]*"/g, '"file_url":null')
    expect(made).toBe(unsigned)
  })
})

describe('events for clients', () => {
  test('become domain events that convert back to the same client events', () => {
    fc.assert(
      fc.property(session, (events) => {
        const shown = events.filter((event) => !isUser(event))
        const streamed = SERIALISATIONS.sse(shown, { pings: false })
        fc.pre(streamed !== '')
        const domain = convert(rowsOf(streamed), 'plan-act:events')
        expect(convert(rowsOf(domain), 'plan-act:sse')).toBe(streamed)
        expect(lines(domain).map(({ id }) => id)).toEqual(shown.map(({ streamId }) => streamId))
      }),
      { numRuns: 30 },
    )
  })
})

describe('plan-execution', () => {
  test('has the steps as agents, their calls as cycles and the summary', () => {
    const rows = rowsOf(fixture('plan-act/default-mock/get_session.json'))
    const record = JSON.parse(convert(rows, 'plan-execution')) as Record<string, unknown>
    expect(record).toMatchObject({
      planId: 'a1b2c3d4e5f60718',
      title: 'test title',
      userRequest: 'run the test',
      completed: true,
      summary: 'This is a test',
      steps: ['test step'],
      agentExecutionSequence: [
        { stepId: '1', agentName: 'execution', agentRequest: 'test step', status: 'FINISHED', currentStep: 7 },
      ],
    })
    const [agent] = record['agentExecutionSequence'] as { thinkActSteps: { actToolInfoList: unknown }[] }[]
    expect(agent!.thinkActSteps[1]!.actToolInfoList).toMatchObject([
      { name: 'info_search_web', parameters: '{"query":"latest AI developments 2024","date_range":"past_month"}' },
    ])
  })

  test('becomes a waiting session', () => {
    const rows = rowsOf(fixture('lynxe/details-waiting-input.json'))
    const events = sseData(convert(rows, 'plan-act:sse'))
    expect(events.at(-1)?.event).toBe('wait')
    expect(events.at(-2)?.data).toMatchObject({ role: 'assistant', content: 'Please fill' })
    expect(decodeRecord(rowsOf(convert(rows, 'plan-act:session')))).toMatchObject({ state: 'waiting' })
  })
})

describe('a record of any other system', () => {
  const files = ['lynxe', 'trajectory', 'review-log'].flatMap((system) =>
    readdirSync(new URL(`../../fixtures/${system}/`, import.meta.url))
      .filter((name) => /(?<!\.example)\.jsonl?$/.test(name))
      .map((name) => `${system}/${name}`),
  )
  test.each(files)('%s becomes events that are canonical, and a session that is the same when imported', (file) => {
    for (const record of encodeRecords(new TextEncoder().encode(fixture(file)))) {
      const rows = record.spans.map(toStoredSpan)
      const imported = (format: DialectName): readonly StoredSpan[] =>
        encodeRecords(new TextEncoder().encode(convert(rows, format)), { format })
          .next()
          .value!.spans.map(toStoredSpan)
      expect(imported('plan-act:events').flatMap((span) => span.attributes[ATTR.residual] ?? [])).toEqual([])
      expect(decodeRecord(imported('plan-act:session'))!.text).toBe(convert(rows, 'plan-act:session'))
      const steps = rows.filter((row) => row.attributes[ATTR.spanKind] === 'agent').length
      expect([...convert(rows, 'plan-act:sse').matchAll(/^event: step\r$/gm)].length).toBeGreaterThanOrEqual(
        file.startsWith('lynxe') ? 0 : steps,
      )
    }
  })
})

describe('a live plan', () => {
  let sdk: InMemorySdk
  beforeEach(() => {
    sdk = installSdk()
  })
  afterEach(() => sdk.uninstall())

  test('becomes events of its plan, steps, calls, messages and end', async () => {
    await plan({ workflow: 'trip', title: 'To Rome', request: 'Book Rome', planId: 'plan-rome' }, async (p) => {
      await p.planning({ planner: 'planner' }, async (s) => s.steps(['look', 'book']))
      await p.agent({ name: 'researcher', step: 0 }, async (a) => {
        await a.cycle(async (c) =>
          c.tool({ name: 'browse', callId: 'call-1', arguments: { url: 'x' } }, () => ({ ok: true })),
        )
        a.result('looked')
      })
      p.message({ role: 'assistant', content: 'Half way' })
      await p
        .agent({ name: 'booker', step: 1 }, async (a) => {
          await a.cycle(async (c) => {
            await c.tool({ name: 'shell_exec', callId: 'call-2', arguments: 'rm' }, () => {
              throw new TypeError('sold out')
            })
          })
        })
        .catch(() => {})
      p.summary('No flight')
    })
    const rows = sdk.spans().map(storedSpan)
    const events = lines(convert(rows, 'plan-act:events')).map(({ data }) => data)
    const browse = { tool_call_id: 'call-1', tool_name: 'mcp', function_name: 'browse', function_args: { url: 'x' } }
    const failed = { success: false, message: 'sold out', data: null }
    expect(events).toMatchObject([
      { type: 'message', role: 'user', message: 'Book Rome' },
      { type: 'title', title: 'To Rome' },
      {
        type: 'plan',
        status: 'created',
        plan: { id: 'plan-rome', steps: [{ id: '1', description: 'look' }, { id: '2' }] },
      },
      { type: 'step', status: 'started', step: { id: '1', description: 'look' } },
      { type: 'tool', ...browse, status: 'calling', function_result: null },
      { type: 'tool', ...browse, status: 'called', function_result: { success: true, data: { ok: true } } },
      { type: 'step', status: 'completed', step: { id: '1', result: 'looked', success: true } },
      { type: 'message', role: 'assistant', message: 'Half way' },
      { type: 'step', status: 'started', step: { id: '2', description: 'book' } },
      { type: 'tool', tool_name: 'shell', function_args: { input: 'rm' }, status: 'calling' },
      { type: 'tool', status: 'called', function_result: failed },
      { type: 'step', status: 'failed', step: { id: '2', error: 'sold out', success: false } },
      { type: 'message', message: 'No flight' },
      {
        type: 'plan',
        status: 'completed',
        plan: { steps: [{ status: 'completed', result: 'looked' }, { status: 'failed' }] },
      },
      { type: 'done' },
    ])
    const streamed = sseData(convert(rows, 'plan-act:sse'))
    expect(streamed.map(({ event }) => event)).toEqual(events.slice(1).map(({ type }) => type))
    expect(new Set(streamed.map(({ data }) => data['event_id'])).size).toBe(streamed.length)
    const again = rowsOf(convert(rows, 'plan-act:session'))
    expect(decodeRecord(again)).toMatchObject({ state: 'completed', verdict: 'complete' })
  })

  test('lists work beyond its steps only after it has begun', async () => {
    await plan({ planId: 'plan-rome' }, async (p) => {
      p.planning({ planner: 'planner' }, (s) => s.steps(['look', 'book', 'pay']))
      for (const step of [0, 1, 2, undefined]) await p.agent({ name: 'a', step }, async () => undefined)
    })
    const events = lines(convert(sdk.spans().map(storedSpan), 'plan-act:events')).map(({ data }) => data)
    const versions = events.filter(({ type }) => type === 'plan')
    expect(versions.map(({ status, plan }) => [status, (plan as { steps: object[] }).steps.length])).toEqual([
      ['created', 3],
      ['completed', 4],
    ])
  })
})
