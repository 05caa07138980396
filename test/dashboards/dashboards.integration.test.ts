import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'

import type { DashboardModel } from '../../dashboards/query/model.js'
import { runDashboard, type DashboardRun } from '../../dashboards/query/run-dashboard.js'
import { runQuery, type DataSource, type Query } from '../../dashboards/query/run-query.js'
import type { TimeRange } from '../../dashboards/query/time-range.js'
import type { VariableValue } from '../../dashboards/query/variables.js'
import { DASHBOARDS } from '../../dashboards/src/index.js'
import { generatePlans } from '../../src/generate/index.js'
import type { Span } from '../../src/mapping/index.js'
import { createSpanSender } from '../../src/tracing/index.js'
import { startTestApp, type TestApp } from '../server/test-app.js'
import { shapeProblems } from './panel-shape.js'

const MINUTES = 60_000
const DAY = 86_400_000
const BATCH = 10_000
const MONTH = { plans: 2000, days: 30, seed: 'dashboards', until: Date.UTC(2026, 9, 31, 15) }

const fixtures = new URL('../fixtures/', import.meta.url)
const samples = ['lynxe', 'plan-act/default-mock', 'plan-act/no-steps', 'review-log', 'seeds', 'trajectory']
  .flatMap((folder) => readdirSync(new URL(folder, fixtures)).map((name) => `${folder}/${name}`))
  .filter((path) => /\.(json|jsonl|sse)$/.test(path) && !path.includes('_output.example'))

const dashboards = Object.entries(DASHBOARDS) as unknown as [string, DashboardModel][]

// Each filter with the first panel that it concerns.
const filters = dashboards.flatMap(([title, dashboard]) =>
  dashboard.templating.list
    .filter(({ multi }) => multi)
    .map(({ name }): [string, DashboardModel, string, Query] => {
      const targets = dashboard.panels.flatMap(({ targets }) => targets ?? [])
      return [`${title}: ${name}`, dashboard, name, targets.find(({ rawSql }) => rawSql.includes(`, $${name})`))!]
    }),
)

// When the month has something to fire for: the newest such row, a moment later.
const MOMENTS: Readonly<Record<string, { readonly at: string; readonly of: string; readonly where: string }>> = {
  'planspan-unsafe-action-taken': { at: 'Timestamp + 60', of: 'risks', where: 'ActionTaken AND Score > 0.7' },
  'planspan-long-wait': { at: 'Timestamp + 2 * 3600', of: 'waits', where: 'IsOpen' },
  'planspan-plan-broken': {
    at: 'addMilliseconds(Timestamp, toInt64(DurationMs)) + 60',
    of: 'plans',
    where: "State = 'failed' AND isNotNull(DurationMs)",
  },
  'planspan-budget-exceeded': { at: 'Timestamp + 600', of: 'plan_usage', where: 'TotalTokens > BudgetTokens' },
}
const provisioned: { readonly groups: readonly { readonly rules: readonly Rule[] }[] } = parse(
  readFileSync(new URL('../../dashboards/provisioning/alerting/planspan.yaml', import.meta.url), 'utf8'),
)
const ALERTS = provisioned.groups.flatMap(({ rules }) =>
  rules.map(({ uid, title, data: [query, threshold] }) => ({
    title,
    query: query.model.rawSql,
    above: threshold.model.conditions[0].evaluator.params[0],
    moment: MOMENTS[uid]!,
  })),
)

interface Rule {
  readonly uid: string
  readonly title: string
  readonly data: readonly [
    { readonly model: { readonly rawSql: string } },
    {
      readonly model: { readonly conditions: readonly [{ readonly evaluator: { readonly params: readonly [number] } }] }
    },
  ]
}

let app: TestApp
let source: DataSource
let ran = 0

beforeAll(async () => {
  app = await startTestApp()
  source = { url: inject('clickhouseReaderUrl'), database: app.store.database }
})

afterAll(async () => {
  await app.close()
  // eslint-disable-next-line no-console
  console.log(`${ran} queries of ${dashboards.length} dashboards ran`)
})

/** Opens a dashboard, as the user who may only read. */
async function open(dashboard: DashboardModel, range: TimeRange, chosen = {}): Promise<DashboardRun> {
  const run = await runDashboard(source, dashboard, range, chosen)
  ran += run.queries.length
  return run
}

function problemsOf({ panels }: DashboardModel, { queries }: DashboardRun): string[] {
  return queries.flatMap(({ of, panel, frame }) => {
    const model = panels.find(({ id }) => id === panel)
    return model && frame.length > 0 ? shapeProblems(model, frame).map((problem) => `${of}: ${problem}`) : []
  })
}

describe('over the sample records', { timeout: 5 * MINUTES }, () => {
  const range = { from: new Date('2024-01-01T00:00:00Z'), to: new Date('2027-01-01T00:00:00Z') }

  beforeAll(async () => {
    for (const path of samples) await app.importRecords(readFileSync(new URL(path, fixtures)))
  })

  test.each(dashboards)('every query of %s runs, and its answer fits its panel', async (_, dashboard) => {
    expect(problemsOf(dashboard, await open(dashboard, range))).toEqual([])
  })
})

describe('over a month of 2,000 plans', { timeout: 5 * MINUTES }, () => {
  const range = { from: new Date(MONTH.until - MONTH.days * DAY), to: new Date(MONTH.until) }
  // A live plan with something for every panel but sub-plans.
  let plan: string

  beforeAll(async () => {
    const batches = new Map<string, Span[]>()
    for (const { service, spans } of generatePlans(MONTH)) {
      const batch = [...(batches.get(service) ?? []), ...spans]
      batches.set(service, batch.length < BATCH ? batch : [])
      if (batch.length >= BATCH) await send(service, batch)
    }
    for (const [service, batch] of batches) await send(service, batch)
    const { client, database } = app.store
    await client.command({
      query: `INSERT INTO ${database}.model_prices (Model, InputUsdPerMillionTokens, OutputUsdPerMillionTokens)
              SELECT DISTINCT PricedModel, 2, 8 FROM ${database}.model_calls WHERE PricedModel != ''`,
    })
    const answer = await client.query({
      query: `SELECT risks.PlanId AS plan FROM ${database}.risks INNER JOIN ${database}.waits USING (PlanId)
              WHERE PlanId IN (SELECT PlanId FROM ${database}.model_calls) AND PlanId IN (SELECT PlanId FROM ${database}.steps)
              ORDER BY plan LIMIT 1`,
      format: 'JSONEachRow',
    })
    plan = (await answer.json<{ plan: string }>())[0]!.plan
  }, 5 * MINUTES)

  test.each(dashboards)('every query of %s finds something, and it fits its panel', async (_, dashboard) => {
    const run = await open(dashboard, range, { plan })
    expect(run.queries.filter(({ frame }) => frame.length === 0).map(({ of }) => of)).toEqual([])
    expect(problemsOf(dashboard, run)).toEqual([])
  })

  test.each(filters)('the filter %s changes what a panel shows', async (_, dashboard, name, target) => {
    const context = { range, intervalMs: DAY }
    const all = await chosenVariables(dashboard, range)
    const [first] = all.find((variable) => variable.name === name)!.options
    const one = all.map((variable) => (variable.name === name ? { ...variable, value: [first!] } : variable))
    const answers = await Promise.all([all, one].map((variables) => runQuery(source, target, variables, context)))
    ran += answers.length
    expect(answers[1]!.frame).not.toEqual(answers[0]!.frame)
  })

  test.each(ALERTS)('the alert "$title" fires when it is the time, and only then', async ({ above, query, moment }) => {
    const { client, database } = app.store
    const answer = await client.query({
      query: `SELECT toString(toDateTime(max(${moment.at}))) AS time FROM ${database}.${moment.of} WHERE ${moment.where}`,
      format: 'JSONEachRow',
    })
    const [{ time }] = (await answer.json()) as [{ time: string }]
    const at = async (now: string) => {
      const rawSql = query.replaceAll(/now(64)?\(9?\)/g, `toDateTime('${now}')`)
      return (await runQuery(source, { refId: 'A', rawSql, format: 1 }, [], { range, intervalMs: DAY })).frame
    }
    const then = await at(time)
    ran++
    // Grafana takes the one number of a row as the value, and its texts as the labels of the alert.
    expect(then.fields.map(({ type }) => type).sort()).toEqual(
      [...then.fields.slice(1).map(() => 'string'), 'number'].sort(),
    )
    const values = then.fields.find(({ type }) => type === 'number')?.values ?? []
    expect(Math.max(...values.map(Number))).toBeGreaterThan(above)
    expect((await at('2027-06-01 00:00:00')).length).toBe(0)
  })
})

async function send(serviceName: string, spans: readonly Span[]): Promise<void> {
  const sender = createSpanSender({
    url: 'http://localhost/v1/traces',
    serviceName,
    fetch: async (input, init) => app.app.request(input instanceof URL ? input.href : input, init),
  })
  const { rejected, reasons } = await sender.send(spans)
  if (rejected > 0) throw new Error(reasons.join(' '))
}

async function chosenVariables(dashboard: DashboardModel, range: TimeRange): Promise<readonly VariableValue[]> {
  return (await runDashboard(source, { ...dashboard, panels: [] }, range)).variables
}
