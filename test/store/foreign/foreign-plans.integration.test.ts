import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kindRuleOf } from '../../../src/mapping/adopt/kind-of.js'
import { decodeRecord, treeSpans } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import type { ListPlansOptions, PlanSummary } from '../../../src/store/index.js'
import { readRows } from '../../../src/store/query.js'
import { FOREIGN_TRACES, foreignRows } from '../../support/foreign-traces.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertSpans, insertStoredSpans, planAttributes, type TestSpan } from '../spans.js'

interface AdoptedRecord {
  readonly title: string
  readonly planspan: {
    readonly foreign: { readonly convention: string }
    readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  }
}

/** What a span alone does not tell: a run that goes on tells the model call again that it waited after. */
const REPEATED_CALLS: Readonly<Record<string, number>> = { 'mastra/agent-approval.otlp.json': 1 }

let server: FreshStore
let listed: readonly PlanSummary[]
const views = new Map<string, Record<string, unknown>[]>()

beforeAll(async () => {
  server = await freshStore()
  for (const { file } of FOREIGN_TRACES) {
    await insertStoredSpans(server.store.client, server.store.database, foreignRows(file))
  }
  listed = (await server.store.reader.listPlans({ limit: 1000 })).plans
  for (const view of ['plans', 'plan_usage', 'model_calls', 'tool_calls', 'agents', 'think_acts']) {
    views.set(view, await rows(`SELECT * FROM @.${view}`))
  }
})
afterAll(() => server.close())

function rows<Row>(sql: string, trace = ''): Promise<Row[]> {
  const { client, database } = server.store
  return readRows<Row>({ client, database, url: server.fresh.url }, sql.replaceAll('@', database), { trace })
}

/** Some columns of the rows that a view has of a trace. */
const shown = (view: string, traceId: string, ...columns: string[]) =>
  (views.get(view) ?? [])
    .filter((row) => row['TraceId'] === traceId)
    .map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))

describe.each(FOREIGN_TRACES)('the trace of $file', ({ file }) => {
  const spans = foreignRows(file)
  const [{ traceId } = { traceId: '' }] = spans
  const decoded = decodeRecord(spans)
  const record = JSON.parse(decoded?.text ?? 'null') as AdoptedRecord
  const tree = treeSpans(spans)
  const ofRole = (role: string) => tree.filter(({ attributes }) => attributes[ATTR.spanKind] === role)

  it('is one plan of the list and of the views, as its record tells', () => {
    const { convention } = record.planspan.foreign
    const found = listed.filter((plan) => plan.traceId === traceId)
    expect(found).toMatchObject([
      { planId: traceId, live: true, dialect: '', convention, state: decoded?.state, title: record.title },
    ])
    expect(shown('plans', traceId, 'PlanId', 'RootPlanId', 'Convention', 'State', 'Title')).toEqual([
      { PlanId: traceId, RootPlanId: traceId, Convention: convention, State: decoded?.state, Title: record.title },
    ])
  })

  it('has the model calls, tokens, tool calls and errors of its record', () => {
    const calls = shown('tool_calls', traceId, 'ToolName', 'State')
    const usage = shown('plan_usage', traceId, 'ModelCalls', 'InputTokens', 'OutputTokens')
    expect(usage.map((row) => Object.values(row).map(Number))).toEqual([
      [
        ofRole('llm').length + (REPEATED_CALLS[file] ?? 0),
        record.planspan.usage?.inputTokens ?? 0,
        record.planspan.usage?.outputTokens ?? 0,
      ],
    ])
    expect(calls.map(({ ToolName }) => ToolName).toSorted()).toEqual(
      ofRole('tool')
        .map(({ attributes }) => attributes[ATTR.toolName])
        .toSorted(),
    )
    const errors = ofRole('tool').filter(({ state }) => state === 'failed').length
    expect(calls.filter(({ State }) => State === 'failed')).toHaveLength(errors)
  })

  it('has the agents and cycles that somebody sent', () => {
    for (const [view, role] of [
      ['agents', 'agent'],
      ['think_acts', 'think_act'],
    ] as const) {
      const sent = new Set(spans.filter((span) => kindRuleOf(span)?.kind === role).map(({ spanId }) => spanId))
      const told = ofRole(role).flatMap(({ spanId }) => (sent.has(spanId) ? spanId : []))
      expect(shown(view, traceId, 'SpanId').map(({ SpanId }) => SpanId)).toEqual(expect.arrayContaining(told))
    }
  })
})

it('is found by its trace, and by what is in it', async () => {
  const found = async (search: ListPlansOptions) => {
    const { plans } = await server.store.reader.listPlans({ ...search, limit: 1000 })
    return plans.map(({ traceId }) => traceId)
  }
  for (const { file } of FOREIGN_TRACES.slice(0, 3)) {
    const [{ traceId } = { traceId: '' }] = foreignRows(file)
    const plan = listed.find((one) => one.traceId === traceId)
    const [tool, model] = ['ToolName', 'Model'].map((column, at) =>
      String(shown(at === 0 ? 'tool_calls' : 'model_calls', traceId, column)[0]?.[column] ?? ''),
    )
    const search = {
      text: plan?.title.toUpperCase() ?? '',
      services: [plan?.serviceName ?? ''],
      ...(tool && { tools: [tool] }),
      ...(model && { models: [model] }),
    }
    expect(await found(search)).toContain(traceId)
    expect(await found({ ...search, trace: traceId, states: plan ? [plan.state] : [] })).toEqual([traceId])
    expect(await found({ ...search, services: ['no such service'] })).toEqual([])
  }
})

it('is content of a plan of planspan’s own, and a call that planspan tells, too, counts once', async () => {
  const traceId = 'd'.repeat(32)
  const ids = { [ATTR.planId]: 'around', [ATTR.planRootId]: 'around' }
  const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm-1', 'gen_ai.usage.input_tokens': '10' }
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search', 'error.type': 'timeout' }
  await insertSpans(server.store.client, server.store.database, [
    { traceId, spanId: 'a1', name: 'invoke_workflow', attributes: planAttributes({ planId: 'around' }) },
    {
      traceId,
      spanId: 'a2',
      parentSpanId: 'a1',
      name: 'chat m-1',
      attributes: { ...model, ...ids, [ATTR.spanKind]: 'llm' },
    },
    { traceId, spanId: 'a3', parentSpanId: 'a2', attributes: { ...model, ...ids, [ATTR.within]: 'llm' } },
    { traceId, spanId: 'a4', parentSpanId: 'a2', attributes: { ...tool, ...ids, [ATTR.within]: 'llm' } },
    { traceId, spanId: 'a5', parentSpanId: 'a1', attributes: { ...model, ...ids, [ATTR.within]: 'plan' } },
  ])
  const usage = 'SELECT PlanId, toUInt32(ModelCalls) AS Calls, toUInt32(InputTokens) AS Tokens FROM @.plan_usage'
  expect(await rows(`${usage} WHERE TraceId = {trace:String}`, traceId)).toEqual([
    { PlanId: 'around', Calls: 2, Tokens: 20 },
  ])
  const calls = 'SELECT PlanId, ToolName, State, ErrorType FROM @.tool_calls WHERE TraceId = {trace:String}'
  expect(await rows(calls, traceId)).toEqual([
    { PlanId: 'around', ToolName: 'search', State: 'failed', ErrorType: 'timeout' },
  ])
  const { plans } = await server.store.reader.listPlans({ tools: ['search'], models: ['m-1'], limit: 1000 })
  expect(plans.filter((plan) => plan.traceId === traceId).map(({ planId, errors }) => [planId, errors])).toEqual([
    ['around', 1],
  ])
})

const call = (spanId: string, parentSpanId: string, operation: string): TestSpan => ({
  traceId: 'f'.repeat(31) + parentSpanId.slice(-1),
  spanId,
  parentSpanId,
  attributes: { 'gen_ai.operation.name': operation, 'gen_ai.tool.name': operation === 'chat' ? '' : 'search' },
})

describe('a trace without an agent', () => {
  const list = async (trace: string, asked: boolean) => {
    const { plans } = await server.store.reader.listPlans(asked ? { trace } : { limit: 1000 })
    return plans.filter(({ traceId }) => traceId === trace).map(({ state }) => state)
  }
  const insert = (spans: TestSpan[]) => insertSpans(server.store.client, server.store.database, spans)

  it('goes on until its root has come, whatever that is', async () => {
    const spans = [call('a1', 'a0', 'chat'), call('a2', 'a0', 'execute_tool')]
    const [{ traceId } = { traceId: '' }] = spans
    await insert(spans)
    expect(await list(traceId, false)).toEqual(['running'])
    await insert([{ traceId, spanId: 'a0', name: 'main' }])
    expect(await list(traceId, false)).toEqual(['completed'])
    const plans = await rows('SELECT State FROM @.plans WHERE TraceId = {trace:String}', traceId)
    expect(plans).toEqual([{ State: 'completed' }])
  })

  it('of model calls alone is found by its id only, of look-ups alone not at all', async () => {
    const [chat, lookUp] = [call('b1', 'b1', 'chat'), call('c1', 'c2', 'retrieval')]
    await insert([
      { ...chat, parentSpanId: '' },
      { ...lookUp, parentSpanId: '', attributes: { 'gen_ai.operation.name': 'retrieval' } },
    ])
    expect([await list(chat.traceId, false), await list(chat.traceId, true)]).toEqual([[], ['completed']])
    expect([await list(lookUp.traceId, false), await list(lookUp.traceId, true)]).toEqual([[], []])
  })

  it('in a trace with a plan of planspan’s own is no plan beside it', async () => {
    const traceId = 'e'.repeat(32)
    const attributes = planAttributes({ planId: 'own' })
    const agent = { 'gen_ai.operation.name': 'invoke_agent', [ATTR.planId]: 'own' }
    await insert([
      { traceId, spanId: 'd1', attributes, name: 'invoke_workflow own' },
      { traceId, spanId: 'd2', parentSpanId: 'd1', attributes: agent },
      { traceId, spanId: 'd3', parentSpanId: 'd1', attributes: { 'gen_ai.operation.name': 'invoke_agent' } },
    ])
    const { plans } = await server.store.reader.listPlans({ trace: traceId })
    expect(plans.map(({ planId, convention }) => [planId, convention])).toEqual([['own', '']])
    expect(await rows('SELECT PlanId FROM @.plans WHERE TraceId = {trace:String}', traceId)).toEqual([
      { PlanId: 'own' },
    ])
  })
})
