import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { treeSpans } from '../../../src/mapping/index.js'
import { ATTR, LINK_TYPES, OPERATIONS, PENDING, type Role, type Span, spanName } from '../../../src/semconv/index.js'
import { listenJaeger } from '../../../src/server/jaeger/index.js'
import type { Listener } from '../../../src/server/http/listen.js'
import {
  byId,
  fieldsOf,
  GET_TRACES,
  hex,
  jaegerClient,
  messages,
  text,
  type Fields,
  type JaegerClient,
} from './jaeger-client.js'
import { startTestApp, type TestApp } from '../test-app.js'

let server: TestApp
let listener: Listener
let client: JaegerClient

beforeAll(async () => {
  server = await startTestApp()
  listener = await listenJaeger(server.store.traces, { host: '127.0.0.1', port: 0, outage: () => undefined })
  client = jaegerClient(`127.0.0.1:${listener.port}`)
})
afterAll(async () => {
  client.close()
  await listener.close(AbortSignal.abort())
  await server.close()
})

const spansOf = (chunks: readonly Uint8Array[]): Fields[] =>
  chunks.flatMap((chunk) =>
    messages(fieldsOf(chunk), 1).flatMap((resource) => messages(resource, 2).flatMap((scope) => messages(scope, 2))),
  )

/** A span's warnings, and whether the tree marks it. */
function marksOf(span: Fields): { warnings: string[]; isMarked: boolean } {
  const attributes = new Map(messages(span, 9).map((pair) => [text(pair, 1), messages(pair, 2)[0]!]))
  const warnings = attributes.get('@jaeger@warnings')
  return {
    warnings: warnings ? messages(messages(warnings, 5)[0]!, 1).map((item) => text(item, 1)) : [],
    isMarked: attributes.get('error')?.get(2)?.[0] === 1n,
  }
}

/** The warnings by span id, of marked spans only. Other warnings belong to plans. */
function warningsIn(chunks: readonly Uint8Array[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const span of spansOf(chunks)) {
    const { warnings, isMarked } = marksOf(span)
    if (isMarked) found.set(`${hex(span, 1)}/${hex(span, 2)}`, warnings)
  }
  return found
}

const STOPPED = /^This guardrail stopped /
const TAKEN = /^A risk was taken: .* ran although this guardrail found it unsafe\.$/

describe('a guardrail’s span has a warning, and a mark in the tree', () => {
  const NOON = BigInt(Date.UTC(2026, 2, 4, 12)) * 1_000_000n
  const traceId = '3'.repeat(32)
  const spanId = (number: number) => number.toString(16).padStart(16, '0')
  const span = (number: number, parent: number, role: Role, attributes: Span['attributes'] = {}): Span => ({
    traceId,
    spanId: spanId(number),
    parentSpanId: parent === 0 ? '' : spanId(parent),
    name: spanName(role),
    kind: 'INTERNAL',
    startTimeUnixNano: NOON + BigInt(number),
    endTimeUnixNano: NOON + 1000n,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: { [ATTR.spanKind]: role, [ATTR.operationName]: OPERATIONS[role], [ATTR.planId]: 'p', ...attributes },
    events: [],
    links: [],
  })
  const foreignId = '4'.repeat(32)
  const foreign = (number: number, parent: number, attributes: Span['attributes']): Span => ({
    ...span(number, parent, 'tool'),
    traceId: foreignId,
    attributes,
  })
  const unsafe = { [ATTR.riskIsSafe]: false, [ATTR.riskScore]: 0.9 }
  const guards = (number: number) => ({
    traceId,
    spanId: spanId(number),
    attributes: { [ATTR.linkType]: LINK_TYPES.guards },
  })

  beforeAll(() =>
    server.send([
      span(1, 0, 'plan', { [ATTR.state]: 'completed' }),
      span(2, 1, 'agent'),
      span(10, 2, 'think_act'),
      span(11, 10, 'guardrail', { ...unsafe, [ATTR.riskActionName]: 'pay' }),
      span(20, 2, 'think_act'),
      span(21, 20, 'guardrail', unsafe),
      { ...span(22, 20, 'tool', { [ATTR.toolName]: 'delete_file' }), links: [guards(21)] },
      span(30, 2, 'think_act'),
      span(31, 30, 'guardrail', unsafe),
      span(40, 2, 'think_act'),
      span(41, 40, 'guardrail', { [ATTR.riskIsSafe]: true }),
      span(42, 40, 'guardrail', { [ATTR.riskScore]: 0.9 }),
      span(51, 1, 'guardrail', unsafe),
      foreign(1, 0, { 'openinference.span.kind': 'AGENT' }),
      foreign(2, 1, { 'openinference.span.kind': 'LLM' }),
      foreign(3, 1, { 'openinference.span.kind': 'GUARDRAIL', 'output.value': '{"is_safe":false}' }),
      foreign(4, 1, { 'openinference.span.kind': 'TOOL', 'tool.name': 'pay' }),
      foreign(5, 1, { 'openinference.span.kind': 'GUARDRAIL', 'output.value': '{"is_safe":true}' }),
    ]),
  )

  it('where it stopped an action or a risk was taken, and nowhere else', async () => {
    const { messages: chunks } = await client.stream(GET_TRACES, byId(traceId))
    expect(warningsIn(chunks)).toEqual(
      new Map([
        [`${traceId}/${spanId(11)}`, ['This guardrail stopped pay.']],
        [`${traceId}/${spanId(21)}`, ['A risk was taken: delete_file ran although this guardrail found it unsafe.']],
        [`${traceId}/${spanId(31)}`, ['This guardrail stopped an action.']],
      ]),
    )
  })

  it('also from another instrumentation', async () => {
    const { messages: chunks } = await client.stream(GET_TRACES, byId(foreignId))
    expect(warningsIn(chunks)).toEqual(
      new Map([[`${foreignId}/${spanId(3)}`, ['A risk was taken: pay ran although this guardrail found it unsafe.']]]),
    )
  })
})

describe('an outermost plan', () => {
  const START = BigInt(Date.UTC(2026, 2, 4, 12)) * 1_000_000n
  const MINUTE = 60_000_000_000n
  const traceOf = (digit: number) => String(digit).repeat(32)
  const spanOf = (digit: number, id: string, parent: string, attributes: Span['attributes']): Span => ({
    traceId: traceOf(digit),
    spanId: id.repeat(16),
    parentSpanId: parent.repeat(16),
    name: id,
    kind: 'INTERNAL',
    startTimeUnixNano: START,
    endTimeUnixNano: START + 2_000_000n,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: { [ATTR.planId]: `p${digit}`, [ATTR.planRootId]: `p${digit}`, ...attributes },
    events: [],
    links: [],
  })
  const plan = { [ATTR.spanKind]: 'plan' }
  const snapshot = (span: Span, lasts: bigint, seq: number): Span => ({
    ...span,
    spanId: `${seq}`.padStart(16, span.spanId),
    parentSpanId: span.spanId,
    endTimeUnixNano: START + lasts,
    attributes: {
      ...span.attributes,
      [ATTR.spanState]: PENDING,
      [ATTR.snapshotSeq]: seq,
      [ATTR.pendingSpanId]: span.spanId,
      [ATTR.pendingParentSpanId]: span.parentSpanId,
    },
  })
  /** The id, the duration in minutes and the warnings of each span. */
  const shown = async (digit: number) => {
    await server.index()
    const { messages: chunks } = await client.stream(GET_TRACES, byId(traceOf(digit)))
    const found = spansOf(chunks).map((span) => {
      const [from, to] = [span.get(7)?.[0] as bigint, span.get(8)?.[0] as bigint]
      return { id: hex(span, 2)[0], minutes: Number((to - from) / MINUTE), warnings: marksOf(span).warnings }
    })
    return found.toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
  }

  it('that failed has its headline as a warning', async () => {
    const failed = spanOf(6, 'a', '', { ...plan, [ATTR.state]: 'failed', [ATTR.errorMessage]: 'no gateway' })
    await server.send([{ ...failed, statusCode: 'ERROR' }])
    expect(await shown(6)).toEqual([{ id: 'a', minutes: 0, warnings: [expect.stringContaining('no gateway')] }])
  })

  it('that was killed is shown once, up to its last sign of life, above its open parts', async () => {
    const root = spanOf(7, 'a', '', plan)
    const agent = spanOf(7, 'b', 'a', { [ATTR.spanKind]: 'agent' })
    const tool = spanOf(7, 'c', 'b', { [ATTR.spanKind]: 'tool' })
    const ended = { ...tool, endTimeUnixNano: START + 5n * MINUTE }
    await server.send([snapshot(root, 1n, 1), snapshot(root, 2n * MINUTE, 2), snapshot(agent, 4n * MINUTE, 1)])
    await server.send([snapshot(tool, 1n, 1), ended])
    const open = 'This span has not ended. It is shown up to its last sign of life.'
    expect(await shown(7)).toMatchObject([
      { id: 'a', minutes: 5, warnings: [open] },
      { id: 'b', minutes: 4, warnings: [open] },
      { id: 'c', minutes: 5, warnings: [] },
    ])
  })

  it('that waits lasts until now', async () => {
    const form = { [ATTR.spanKind]: 'wait', [ATTR.state]: 'waiting', [ATTR.waitReason]: 'form_input' }
    await server.send([spanOf(8, 'a', '', { ...plan, [ATTR.state]: 'waiting' }), spanOf(8, 'b', 'a', form)])
    const [root, wait] = await shown(8)
    expect(root).toMatchObject({ id: 'a', warnings: ['asks for input'] })
    expect(root!.minutes).toBeGreaterThan(60)
    expect(wait).toMatchObject({ id: 'b', warnings: [] })
  })
})

it('marks, in any plan, the actions that its record reports as stopped or taken', async () => {
  const plans = [...generatePlans({ plans: 150, days: 1, seed: 'marks', until: Date.UTC(2026, 2, 10) })]
  await server.send(plans.flatMap(({ spans }) => spans))
  const expected = new Map<string, RegExp>()
  const traceIds = new Set(plans.map(({ spans }) => spans[0]!.traceId))
  for (const traceId of traceIds) {
    for (const { spanId, attributes } of treeSpans(await server.store.reader.readTrace(traceId))) {
      const { [ATTR.spanKind]: role, [ATTR.riskIsSafe]: isSafe, [ATTR.riskActionTaken]: taken } = attributes
      if (role !== 'guardrail' || isSafe !== 'false' || taken === undefined) continue
      if (attributes[ATTR.riskRepeated] === 'true') continue
      expected.set(`${traceId}/${spanId}`, taken === 'true' ? TAKEN : STOPPED)
    }
  }
  const { messages: chunks } = await client.stream(GET_TRACES, Buffer.concat([...traceIds].map(byId)))
  const found = warningsIn(chunks)
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort())
  for (const [key, [warning]] of found) expect(warning).toMatch(expected.get(key)!)
  for (const kind of [STOPPED, TAKEN]) expect([...expected.values()]).toContain(kind)
})
