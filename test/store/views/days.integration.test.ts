import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ATTR, OPERATIONS } from '../../../src/semconv/index.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertSpans, planAttributes, type TestSpan } from '../spans.js'

/** A plan a day; the tenth goes on a day later, and one of its calls ten days later. */
const DAYS = 20
const DAY_MS = 86_400_000
/** So many calls of each kind has a plan, that they outweigh what tells of all plans. */
const CALLS = 300

let { store, fresh, close } = {} as FreshStore

beforeAll(async () => {
  ;({ store, fresh, close } = await freshStore())
  for (let day = 0; day < DAYS; day++) await insertSpans(store.client, fresh.database, planOf(day))
  const late = planOf(9)
  await insertSpans(store.client, fresh.database, [
    { ...calls(late, 'model')[0], spanId: 'f'.repeat(16), start: 19 * DAY_MS } as TestSpan,
    {
      ...calls(late, 'tool')[0],
      spanId: 'e'.repeat(16),
      start: 10 * DAY_MS,
      attributes: toolCall(9, 'late'),
    } as TestSpan,
  ])
})

afterAll(() => close())

const calls = (spans: readonly TestSpan[], kind: string): TestSpan[] => spans.filter(({ name }) => name?.endsWith(kind))

const told = (day: number, role: string, more: Record<string, string>): Record<string, string> => ({
  [ATTR.spanKind]: role,
  [ATTR.planId]: `plan-${day}`,
  [ATTR.planRootId]: `plan-${day}`,
  ...more,
})

const toolCall = (day: number, name: string): Record<string, string> => told(day, 'tool', { [ATTR.toolName]: name })

const id = (kind: string, day: number, number: number): string =>
  kind + day.toString(16).padStart(5, '0') + number.toString(16).padStart(10, '0')

function planOf(day: number): TestSpan[] {
  const traceId = (day + 1).toString(16).padStart(32, 'a')
  const start = day * DAY_MS
  const [plan, agent, cycle, guardrail] = [id('1', day, 0), id('2', day, 0), id('3', day, 0), id('4', day, 0)]
  return [
    {
      traceId,
      spanId: plan,
      name: `${OPERATIONS.plan} trip`,
      start,
      duration: 5000,
      attributes: planAttributes({ planId: `plan-${day}`, state: 'completed' }),
    },
    {
      traceId,
      spanId: agent,
      parentSpanId: plan,
      name: `${OPERATIONS.agent} guide`,
      start: start + 1,
      attributes: told(day, 'agent', { [ATTR.stepIndex]: '0', [ATTR.state]: 'completed' }),
    },
    {
      traceId,
      spanId: cycle,
      parentSpanId: agent,
      name: `${OPERATIONS.think_act} guide`,
      start: start + 2,
      attributes: told(day, 'think_act', {}),
    },
    {
      traceId,
      spanId: guardrail,
      parentSpanId: cycle,
      name: `${OPERATIONS.guardrail} rules`,
      start: start + 3,
      attributes: told(day, 'guardrail', { [ATTR.riskScore]: '0.9', [ATTR.toolName]: 'late' }),
    },
    ...Array.from({ length: CALLS }, (_, number) => [
      {
        traceId,
        spanId: id('5', day, number),
        parentSpanId: guardrail,
        name: `${OPERATIONS.llm} model`,
        start: start + 4 + number,
        attributes: told(day, 'llm', { [ATTR.usageInputTokens]: '10' }),
      },
      {
        traceId,
        spanId: id('6', day, number),
        parentSpanId: cycle,
        name: `${OPERATIONS.tool} tool`,
        start: start + 4 + number,
        attributes: toolCall(day, 'search'),
      },
    ]).flat(),
  ]
}

/** What a query answers, and how many rows ClickHouse has read for it. */
async function ask(sql: string): Promise<{ rows: unknown[]; read: number }> {
  const { origin, username, password } = new URL(fresh.url)
  const response = await fetch(`${origin}/?wait_end_of_query=1&output_format_json_quote_64bit_integers=0`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
    body: `${sql.replaceAll('@', fresh.database)} FORMAT JSONEachRow`,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  const summary = JSON.parse(response.headers.get('x-clickhouse-summary') ?? '{}') as { read_rows: string }
  return {
    rows: text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line)),
    read: Number(summary.read_rows),
  }
}

const onDay = (day: number): string => {
  const [from, to] = [day, day + 1].map((one) => new Date(Date.UTC(2026, 2, 4 + one)).toISOString().slice(0, 10))
  return `Timestamp >= '${from}' AND Timestamp < '${to}'`
}

describe('a view that joins spans to what is asked for', () => {
  const questions = {
    plan_usage: 'SELECT PlanId, ModelCalls, WorldModelTokens FROM @.plan_usage',
    steps: 'SELECT PlanId, Attempts, State FROM @.steps',
    risks: 'SELECT PlanId, ActionTaken FROM @.risks',
    model_calls: 'SELECT PlanId, UsageRole, sum(TotalTokens) AS Tokens FROM @.model_calls',
  }
  const grouped = (view: string): string => (view === 'model_calls' ? ' GROUP BY PlanId, UsageRole' : '')

  it.each(Object.entries(questions))('%s reads for a day what its plans have, on whichever days', async (view, sql) => {
    const all = await ask(sql + grouped(view))
    for (const [day, part] of [
      [4, 5],
      [9, 3],
    ] as const) {
      const ofDay = await ask(`${sql} WHERE ${onDay(day)}${grouped(view)}`)
      expect(ofDay.read).toBeLessThan(all.read / part)
    }
  })

  it('tells the same whatever days are asked for', async () => {
    expect((await ask(`${questions.plan_usage} WHERE ${onDay(4)}`)).rows).toEqual([
      { PlanId: 'plan-4', ModelCalls: CALLS, WorldModelTokens: CALLS * 10 },
    ])
    expect((await ask(`${questions.plan_usage} WHERE ${onDay(9)}`)).rows).toEqual([
      { PlanId: 'plan-9', ModelCalls: CALLS + 1, WorldModelTokens: (CALLS + 1) * 10 },
    ])
    expect((await ask(`${questions.steps} WHERE ${onDay(9)}`)).rows).toEqual([
      { PlanId: 'plan-9', Attempts: 1, State: 'completed' },
    ])
    expect((await ask(`${questions.risks} WHERE ${onDay(4)}`)).rows).toEqual([{ PlanId: 'plan-4', ActionTaken: false }])
    expect((await ask(`${questions.risks} WHERE ${onDay(9)}`)).rows).toEqual([{ PlanId: 'plan-9', ActionTaken: true }])
    expect(
      (await ask(`${questions.model_calls} WHERE ${onDay(19)} AND PlanId = 'plan-9' GROUP BY PlanId, UsageRole`)).rows,
    ).toEqual([{ PlanId: 'plan-9', UsageRole: 'world_model', Tokens: 10 }])
  })
})
