import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { runQuery } from '../../dashboards/query/run-query.js'
import { ATTR } from '../../src/semconv/index.js'
import { freshStore, type FreshStore } from '../store/fresh-store.js'
import { insertSpans, NOON, planAttributes, type TestSpan } from '../store/spans.js'
import { ALERT_RULES, atTime } from './alert-rules.js'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

let count = 0
const id = (digits: number) => (++count).toString(16).padStart(digits, '0')

/** A plan that ended the given number of minutes before noon; its parts have its trace and its id. */
function plan(of: { workflow: string; state: string; began?: number; ended?: number; budget?: number; root?: string }) {
  const { workflow, state, began = 10, ended = 2, budget, root } = of
  const [traceId, spanId, planId] = [id(32), id(16), `plan-${count}`]
  const attributes = {
    ...planAttributes({ planId, state, ...(root !== undefined && { rootPlanId: root }) }),
    [ATTR.agentName]: workflow,
    ...(budget !== undefined && { [ATTR.budgetTokens]: String(budget) }),
  }
  const span = { traceId, spanId, name: `invoke_workflow ${workflow}`, attributes }
  return { ...span, start: -began * MINUTE, duration: (began - ended) * MINUTE } satisfies TestSpan
}

function below(above: TestSpan, of: { kind: string; name: string; began: number; minutes?: number }, more = {}) {
  const planId = above.attributes?.[ATTR.planId] ?? ''
  const attributes = { [ATTR.spanKind]: of.kind, [ATTR.planId]: planId, [ATTR.planRootId]: planId, ...more }
  const span = { traceId: above.traceId, parentSpanId: above.spanId, spanId: id(16), name: of.name, attributes }
  return { ...span, start: -of.began * MINUTE, duration: (of.minutes ?? 0.1) * MINUTE } satisfies TestSpan
}

const times = (many: number, make: () => TestSpan): TestSpan[] => Array.from({ length: many }, make)

const longAgo = 3 * 1440
const dear = plan({ workflow: 'dear', state: 'completed', began: longAgo, budget: 100 })
const old = plan({ workflow: 'wait', state: 'waiting', began: 40 * 1440, ended: 40 * 1440 - 1 })
const young = plan({ workflow: 'wait', state: 'waiting', began: 120, ended: 119 })
const just = plan({ workflow: 'wait', state: 'waiting', began: 20, ended: 19 })
const wait = (above: TestSpan, began: number) =>
  below(
    above,
    { kind: 'wait', name: 'wait_for_user', began },
    { [ATTR.state]: 'waiting', [ATTR.waitReason]: 'form_input' },
  )
const imported = (() => {
  const { attributes, ...span } = plan({ workflow: 'wait', state: 'waiting', began: 120, ended: 119 })
  return { ...span, attributes: { ...attributes, [ATTR.recordDialect]: 'plan-execution' } }
})()
const over = plan({ workflow: 'wait', state: 'completed', began: 120, ended: 100 })
const busy = plan({ workflow: 'busy', state: 'completed' })
const call = (tool: string, failed: boolean): TestSpan => ({
  ...below(busy, { kind: 'tool', name: `execute_tool ${tool}`, began: 30 }, { [ATTR.toolName]: tool }),
  status: failed ? 'Error' : 'Unset',
})
const risky = (score: string, began: number) =>
  below(
    busy,
    { kind: 'guardrail', name: 'run_guardrail world', began },
    {
      [ATTR.guardrailName]: 'world',
      [ATTR.riskScore]: score,
      [ATTR.riskIsSafe]: 'false',
      [ATTR.riskActionTaken]: 'true',
      [ATTR.riskActionName]: 'rm',
    },
  )

const judged = (name: string, verdict: object, taken: boolean | undefined = true) =>
  below(
    busy,
    { kind: 'guardrail', name: `run_guardrail ${name}`, began: 5 },
    {
      [ATTR.guardrailName]: name,
      [ATTR.riskActionName]: 'rm',
      ...(taken !== undefined && { [ATTR.riskActionTaken]: String(taken) }),
      ...verdict,
    },
  )
const VIOLATED = { [ATTR.riskViolatedPolicyIds]: '["P1"]' }
const UNSAFE = { [ATTR.riskIsSafe]: 'false' }
const SAFE = { [ATTR.riskIsSafe]: 'true' }

const foreign: TestSpan = {
  traceId: id(32),
  spanId: id(16),
  name: 'agent run',
  start: -9 * MINUTE,
  duration: 5 * MINUTE,
  status: 'Error',
  service: 'python',
  attributes: { 'openinference.span.kind': 'AGENT' },
}

const SPANS: readonly TestSpan[] = [
  plan({ workflow: 'trip', state: 'failed', began: 5 }),
  plan({ workflow: 'trip', state: 'failed', began: longAgo }),
  plan({ workflow: 'trip', state: 'failed', began: 60, ended: 40 }),
  plan({ workflow: 'trip', state: 'failed', root: 'another' }),
  plan({ workflow: 'trip', state: 'completed' }),
  foreign,
  dear,
  below(
    dear,
    { kind: 'llm', name: 'chat gpt', began: 4 },
    { [ATTR.usageInputTokens]: '90', [ATTR.usageOutputTokens]: '20' },
  ),
  plan({ workflow: 'dear', state: 'completed', budget: 100 }),
  old,
  wait(old, 40 * 1440),
  young,
  wait(young, 120),
  just,
  wait(just, 20),
  imported,
  wait(imported, 120),
  over,
  wait(over, 115),
  busy,
  risky('0.9', 5),
  risky('0.8', 6),
  risky('0.6', 6),
  risky('0.9', 40),
  judged('unscored', UNSAFE),
  judged('unscored', UNSAFE, false),
  judged('policies', VIOLATED),
  judged('policies', VIOLATED, false),
  judged('scored', { [ATTR.riskScore]: '0.8' }),
  judged('scored', { [ATTR.riskScore]: '0.5' }),
  judged('lenient', { ...SAFE, ...VIOLATED, [ATTR.riskScore]: '0.5' }),
  judged('lenient', { ...SAFE, [ATTR.riskViolatedPolicyIds]: '[]' }),
  ...times(7, () => call('search', false)),
  ...times(13, () => call('search', true)),
  ...times(19, () => call('rare', true)),
  ...times(6, () => plan({ workflow: 'report', state: 'completed', ended: 45, began: longAgo })),
  ...times(4, () => plan({ workflow: 'report', state: 'failed', ended: 45, began: longAgo })),
  ...times(9, () => plan({ workflow: 'seldom', state: 'failed', ended: 45, began: 50 })),
]

/** The findings of each alert at noon: the labels of an instance and its number. */
const FOUND: Readonly<Record<string, readonly (readonly [labels: string, value: number])[]>> = {
  'planspan-unsafe-action-taken': [
    ['rm, policies, shop', 1],
    ['rm, scored, shop', 1],
    ['rm, unscored, shop', 1],
    ['rm, world, shop', 3],
  ],
  'planspan-plans-broken': [
    ['openinference, python, failed', 1],
    ['trip, shop, failed', 2],
  ],
  'planspan-budget-exceeded': [['dear, shop', 1]],
  'planspan-nothing-arrives': [['', 2]],
  'planspan-long-waits': [['form_input, shop', 2]],
  'planspan-failure-rate': [['report, shop', 40]],
  'planspan-tool-error-rate': [['search, shop', 65]],
}

describe('an alert reports a count per workflow, tool or reason', () => {
  let server: FreshStore
  beforeAll(async () => {
    server = await freshStore()
    const { client, database } = server.store
    await insertSpans(client, database, [...SPANS])
    await insertSpans(client, database, [...SPANS])
    await server.index()
  })
  afterAll(() => server.close())

  const ask = async (query: string, at: number) => {
    const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ')
    const source = { url: inject('clickhouseReaderUrl'), database: server.store.database }
    const target = { refId: 'A', rawSql: atTime(query, time), format: 1 }
    const { frame } = await runQuery(source, target, [], {
      range: { from: new Date(at - DAY), to: new Date(at) },
      intervalMs: DAY,
    })
    const value = frame.fields.find(({ type }) => type === 'number')
    const labels = frame.fields.filter((field) => field !== value)
    // Grafana uses the single number of a row as the value, and its texts as the labels of the alert.
    expect(labels.filter(({ type }) => type !== 'string')).toEqual([])
    return Array.from({ length: frame.length }, (_, row): [string, number] => [
      labels.map(({ values }) => values[row]).join(', '),
      Math.round(Number(value?.values[row])),
    ]).toSorted()
  }

  test('each rule is tested', () => {
    expect(ALERT_RULES.map(({ uid }) => uid).toSorted()).toEqual(Object.keys(FOUND).toSorted())
  })

  test.each(ALERT_RULES)('$title', async ({ uid, query, above }) => {
    expect(await ask(query, NOON)).toEqual(FOUND[uid])
    // A day later nothing is recent, except plans that still wait, and the silence.
    const later = (await ask(query, NOON + DAY)).filter(([, value]) => value > above)
    expect(later.length > 0).toBe(['planspan-nothing-arrives', 'planspan-long-waits'].includes(uid))
  })

  test('a store without any spans causes no silence alert', async () => {
    const { query } = ALERT_RULES.find(({ uid }) => uid === 'planspan-nothing-arrives')!
    expect(await ask(query, NOON - 100 * DAY)).toEqual([])
  })
})
