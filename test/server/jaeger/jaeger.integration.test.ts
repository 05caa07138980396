import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ATTR, PENDING, type Span } from '../../../src/semconv/index.js'
import { listenJaeger } from '../../../src/server/jaeger/index.js'
import type { Listener } from '../../../src/server/http/listen.js'
import {
  byId,
  fieldsOf,
  FIND_IDS,
  FIND_SUMMARIES,
  FIND_TRACES,
  GET_TRACES,
  hex,
  jaegerClient,
  message,
  messages,
  query,
  text,
  time,
  type Field,
  type Fields,
  type JaegerClient,
} from './jaeger-client.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, type TestApp } from '../test-app.js'

const ids = { traceId: 'a'.repeat(32), planId: 'plan-1', subPlanId: 'plan-2', stepId: 'step-1' }
const plan = livePlan(ids)
const NOON = plan[0]!.startTimeUnixNano
const DAY = 86_400_000_000_000n
const MONTH = 30n * DAY

let server: TestApp
let listener: Listener
let client: JaegerClient

beforeAll(async () => {
  server = await startTestApp()
  listener = await listenJaeger(server.store.traces, { host: '127.0.0.1', port: 0, outage: () => undefined })
  client = jaegerClient(`127.0.0.1:${listener.port}`)
  await server.send(plan)
  await server.send(plan)
  const snapshots = plan.map((span, i): Span => ({
    ...span,
    spanId: `f${String(i).padStart(15, '0')}`,
    parentSpanId: span.spanId,
    attributes: { ...span.attributes, [ATTR.spanState]: PENDING },
  }))
  await server.send(snapshots)
})

afterAll(async () => {
  client.close()
  await listener.close(AbortSignal.abort())
  await server.close()
})

const tag = (key: string, value: Field): Field => [3, message([1, key], [2, message(value)])]

/** The spans of TracesData messages. */
const spansOf = (chunks: readonly Uint8Array[]): Fields[] =>
  chunks.flatMap((chunk) =>
    messages(fieldsOf(chunk), 1).flatMap((resource) => messages(resource, 2).flatMap((scope) => messages(scope, 2))),
  )

async function find(...fields: Field[]): Promise<string[]> {
  const outcome = await client.unary(FIND_IDS, query(...fields))
  expect(outcome).toMatchObject({ code: status.OK })
  return messages(fieldsOf(outcome.messages[0]!), 1).map((found) => hex(found, 1))
}

describe('GetTraces', () => {
  it('returns each final span once, with its parent, kind, times and typed attributes', async () => {
    const { code, messages: chunks } = await client.stream(GET_TRACES, byId(ids.traceId))
    expect(code).toBe(status.OK)
    const spans = spansOf(chunks)
    expect(spans.map((span) => [hex(span, 2), hex(span, 4)]).sort()).toEqual(
      plan.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]).sort(),
    )
    const root = spans.find((span) => hex(span, 4) === '')!
    expect([text(root, 5), root.get(6), root.get(7), root.get(8)]).toEqual([
      plan[0]!.name,
      [1n],
      [plan[0]!.startTimeUnixNano],
      [plan[0]!.endTimeUnixNano],
    ])
    expect(hex(root, 1)).toBe(ids.traceId)
  })

  it('returns several traces in order, and skips unknown traces', async () => {
    const other = livePlan({ traceId: 'b'.repeat(32), planId: 'plan-3', subPlanId: 'plan-4', stepId: 'step-2' })
    await server.send(other)
    const request = Buffer.concat(['0'.repeat(32), 'b'.repeat(32), ids.traceId].map(byId))
    const { messages: chunks } = await client.stream(GET_TRACES, request)
    const traceIds = chunks.map((chunk) => [...new Set(spansOf([chunk]).map((span) => hex(span, 1)))])
    expect(traceIds).toEqual([['b'.repeat(32)], [ids.traceId]])
  })

  it.each([
    ['Go’s zero time, which means none', -62_135_596_800_000_000_000n, -62_135_596_800_000_000_000n],
    ['an hour around it', NOON - 3_600_000_000_000n, NOON + 3_600_000_000_000n],
    ['a millisecond within it', NOON + 10_000_000n, NOON + 11_000_000n],
    ['the year before', NOON - 63_072_000_000_000_000n, NOON - 31_536_000_000_000_000n],
    ['two days long after it, as Jaeger sends for a shared link', NOON + 2n * MONTH, NOON + 2n * MONTH + 2n * DAY],
    ['all of time', -62_000_000_000_000_000_000n, 253_402_300_799_000_000_000n],
  ])('returns the whole trace, whatever time range the request hints: %s', async (_what, since, until) => {
    const request = query([1, Buffer.from(ids.traceId, 'hex')], [2, time(since)], [3, time(until)])
    const { code, messages: chunks } = await client.stream(GET_TRACES, request)
    expect([code, spansOf(chunks).length]).toEqual([status.OK, plan.length])
  })

  it('sends a trace of 10,000 spans in messages that Jaeger accepts, and stops when the caller disconnects', async () => {
    const traceId = 'c'.repeat(32)
    const text = 'x'.repeat(500)
    const spans = Array.from({ length: 10_000 }, (_, i): Span => ({
      ...plan[0]!,
      traceId,
      spanId: (i + 1).toString(16).padStart(16, '0'),
      parentSpanId: i === 0 ? '' : '0'.repeat(15) + '1',
      attributes: { text, [ATTR.seq]: i },
    }))
    await server.send(spans)
    const { code, messages: chunks } = await client.stream(GET_TRACES, byId(traceId))
    expect(code).toBe(status.OK)
    expect(new Set(spansOf(chunks).map((span) => hex(span, 2))).size).toBe(10_000)
    expect(chunks.length).toBeGreaterThan(5)
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1_000_000)
    expect(spansOf([await client.abandon(GET_TRACES, byId(traceId))]).length).toBeLessThan(10_000)
  })

  it('truncates the texts of a span larger than a message, and reports it', async () => {
    const traceId = 'd'.repeat(32)
    const long = 'ü'.repeat(2_000_000)
    await server.send([{ ...plan[0]!, traceId, attributes: { a: long, b: 'short', [ATTR.planTitle]: 'Rome' } }])
    const { code, messages: chunks } = await client.stream(GET_TRACES, byId(traceId))
    expect(code).toBe(status.OK)
    const attributes = new Map(messages(spansOf(chunks)[0]!, 9).map((pair) => [text(pair, 1), messages(pair, 2)[0]!]))
    expect(text(attributes.get('a')!, 1)).toBe(`${long.slice(0, 100_000)}…`)
    expect(text(attributes.get('b')!, 1)).toBe('short')
    const [warnings] = messages(attributes.get('@jaeger@warnings')!, 5)
    expect(messages(warnings!, 1).map((item) => text(item, 1))).toEqual([
      expect.stringMatching(/^Too large for Jaeger: .* 100000 characters are shown\.$/),
    ])
  })

  it('returns the first events of a span with too many events for a message', async () => {
    const traceId = '2'.repeat(32)
    const events = Array.from({ length: 60_000 }, (_, i) => ({
      timeUnixNano: NOON,
      name: `event ${i}`,
      attributes: { [ATTR.seq]: i, text: 'x'.repeat(40) },
    }))
    await server.send([{ ...plan[0]!, traceId, attributes: {}, events }])
    const { code, messages: chunks } = await client.stream(GET_TRACES, byId(traceId))
    expect(code).toBe(status.OK)
    const [span] = spansOf(chunks)
    expect(messages(span!, 11).map((event) => text(event, 2))).toEqual(events.slice(0, 100).map(({ name }) => name))
  })
})

describe('attributes', () => {
  it('have their original types where planspan knows them, and are text elsewhere', async () => {
    const traceId = 'e'.repeat(32)
    const attributes = {
      [ATTR.usageInputTokens]: '1200',
      [ATTR.recordSpanCount]: '42',
      [ATTR.seq]: 'many',
      [ATTR.stepIndex]: '9223372036854775808',
      [ATTR.riskScore]: '0.25',
      [ATTR.worldModelRiskScore]: 'NaN',
      [ATTR.budgetCostUsd]: '',
      [ATTR.riskIsSafe]: 'false',
      [ATTR.planCompleted]: 'perhaps',
      [ATTR.planSteps]: '["a","b"]',
      [ATTR.planRisks]: '{}',
      [`${ATTR.childrenPrefix}agent`]: '3',
      'http.status_code': '200',
    }
    await server.send([{ ...plan[0]!, traceId, attributes }])
    const [span] = spansOf((await client.stream(GET_TRACES, byId(traceId))).messages)
    const values = Object.fromEntries(
      messages(span!, 9).map((pair) => {
        const [[member, [value]] = [0, []]] = [...messages(pair, 2)[0]!]
        const readable = value instanceof Uint8Array && member === 1 ? Buffer.from(value).toString() : value
        return [text(pair, 1), [member, readable]]
      }),
    )
    const double = Buffer.alloc(8)
    double.writeDoubleLE(0.25)
    expect(values).toEqual({
      [ATTR.usageInputTokens]: [3, 1200n],
      [ATTR.recordSpanCount]: [3, 42n],
      [ATTR.seq]: [1, 'many'],
      [ATTR.stepIndex]: [1, '9223372036854775808'],
      [ATTR.riskScore]: [4, double.readBigUInt64LE()],
      [ATTR.worldModelRiskScore]: [1, 'NaN'],
      [ATTR.budgetCostUsd]: [1, ''],
      [ATTR.riskIsSafe]: [2, 0n],
      [ATTR.planCompleted]: [1, 'perhaps'],
      [ATTR.planSteps]: [5, expect.anything()],
      [ATTR.planRisks]: [1, '{}'],
      [`${ATTR.childrenPrefix}agent`]: [3, 3n],
      'http.status_code': [1, '200'],
    })
  })
})

describe('searches', () => {
  const traceId = '1'.repeat(32)
  beforeAll(() =>
    server.send([
      {
        ...plan[0]!,
        traceId,
        name: 'chat gpt',
        kind: 'CLIENT',
        statusCode: 'ERROR',
        statusMessage: 'no answer',
        attributes: { [ATTR.usageInputTokens]: 77, [ATTR.riskScore]: 0.5, marker: 'search', flag: true },
      },
    ]),
  )

  it.each<[string, Field[]]>([
    ['a text', [tag('marker', [1, 'search'])]],
    ['an int', [tag(ATTR.usageInputTokens, [3, 77])]],
    ['an int as text, as Jaeger’s search form sends it', [tag(ATTR.usageInputTokens, [1, '77'])]],
    ['a boolean', [tag('flag', [2, 1])]],
    ['the error tag', [tag('marker', [1, 'search']), tag('error', [1, 'true'])]],
    ['the kind', [tag('marker', [1, 'search']), tag('span.kind', [1, 'client'])]],
    ['the status code', [tag('otel.status_code', [1, 'ERROR']), tag('marker', [1, 'search'])]],
    ['the status message', [tag('otel.status_description', [1, 'no answer'])]],
    ['a span name', [[2, 'chat gpt']]],
    ['no service and any duration', [tag('marker', [1, 'search']), [6, time(1n)], [7, time(3_600_000_000_000n)]]],
    ['times', [tag('marker', [1, 'search']), [4, time(NOON)], [5, time(NOON + 3_600_000_000_000n)]]],
    ['a depth beyond any', [tag('marker', [1, 'search']), [8, 2_147_483_647]]],
  ])('filter by %s', async (_what, fields) => {
    expect(await find(...fields)).toEqual([traceId])
  })

  it.each<[string, Field[]]>([
    ['no error', [tag('marker', [1, 'search']), tag('error', [1, 'false'])]],
    ['another kind', [tag('marker', [1, 'search']), tag('span.kind', [1, 'server'])]],
    ['an unknown service', [[1, 'none']]],
    ['longer spans alone', [tag('marker', [1, 'search']), [6, time(3_600_000_000_000n)]]],
    ['an end before it', [tag('marker', [1, 'search']), [5, time(NOON)]]],
  ])('find nothing for %s', async (_what, fields) => {
    expect(await find(...fields)).toEqual([])
    expect(await client.stream(FIND_TRACES, query(...fields))).toEqual({ code: 0, details: '', messages: [] })
    expect(await client.stream(FIND_SUMMARIES, query(...fields))).toEqual({ code: 0, details: '', messages: [] })
  })

  it('return many traces, the newest match first, each whole and once', async () => {
    const many = Array.from({ length: 120 }, (_, i) => `9${String(i).padStart(31, '0')}`)
    await server.send(
      many.flatMap((traceId, i) =>
        [1n, 2n].map((number): Span => ({
          ...plan[0]!,
          traceId,
          spanId: `${number}`.padStart(16, '0'),
          startTimeUnixNano: NOON + BigInt(i) * 60_000_000_000n + number,
          attributes: { many: 'yes', text: 'x'.repeat(i === 50 ? 700_000 : 10) },
        })),
      ),
    )
    const { code, messages: chunks } = await client.stream(FIND_TRACES, query(tag('many', [1, 'yes']), [8, 1000]))
    expect(code).toBe(status.OK)
    const ofChunks = chunks.map((chunk) => spansOf([chunk]).map((span) => hex(span, 1)))
    expect(ofChunks.every((ids) => new Set(ids).size === 1)).toBe(true)
    expect(ofChunks.flat()).toEqual(many.toReversed().flatMap((traceId) => [traceId, traceId]))
    expect(chunks).toHaveLength(many.length + 1)
  })

  it('return the traces, or their summaries', async () => {
    const { messages: chunks } = await client.stream(FIND_TRACES, query(tag(ATTR.planId, [1, ids.planId])))
    expect(spansOf(chunks)).toHaveLength(plan.length)
    const { messages: summaries } = await client.stream(FIND_SUMMARIES, query(tag(ATTR.planId, [1, ids.planId])))
    const [summary] = messages(fieldsOf(summaries[0]!), 1)
    expect([hex(summary!, 1), text(summary!, 3), summary!.get(6)]).toEqual([ids.traceId, plan[0]!.name, [5n]])
    expect([summary!.get(4), summary!.get(5)]).toEqual([[NOON], [plan[0]!.endTimeUnixNano]])
  })
})

describe('the other methods', () => {
  it('list the services and operations', async () => {
    const services = await client.unary('TraceReader/GetServices')
    const [service] = fieldsOf(services.messages[0]!).get(1) as Uint8Array[]
    const name = Buffer.from(service!).toString()
    const operations = await client.unary('TraceReader/GetOperations', message([1, name]))
    const pairs = messages(fieldsOf(operations.messages[0]!), 1).map((operation) => [
      text(operation, 1),
      text(operation, 2),
    ])
    expect(pairs).toContainEqual(['chat gpt', 'client'])
    expect(pairs).toContainEqual([plan[0]!.name, 'internal'])
    const clients = await client.unary('TraceReader/GetOperations', message([1, name], [2, 'client']))
    expect(messages(fieldsOf(clients.messages[0]!), 1).map((operation) => text(operation, 1))).toEqual(['chat gpt'])
    const none = await client.unary('TraceReader/GetOperations', message([1, 'none']))
    expect(none.messages[0]).toHaveLength(0)
    const dependencies = await client.unary(
      'DependencyReader/GetDependencies',
      message([1, time(0n)], [2, time(NOON * 2n)]),
    )
    const [dependency] = messages(fieldsOf(dependencies.messages[0]!), 1)
    expect([text(dependency!, 1), text(dependency!, 2)]).toEqual([name, name])
    const capabilities = await client.unary('Capabilities/GetCapabilities')
    expect(messages(fieldsOf(capabilities.messages[0]!), 1)[0]).toEqual(
      new Map([
        [1, [1n]],
        [2, [1n]],
      ]),
    )
  })
})
