import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import type { DashboardModel } from '../../dashboards/query/model.js'
import { runDashboard, type DashboardRun } from '../../dashboards/query/run-dashboard.js'
import { runQuery, type DataSource, type Query } from '../../dashboards/query/run-query.js'
import type { TimeRange } from '../../dashboards/query/time-range.js'
import type { VariableValue } from '../../dashboards/query/variables.js'
import { DASHBOARDS } from '../../dashboards/src/index.js'
import type { StoredSpan } from '../../src/semconv/index.js'
import { startTestApp, type TestApp } from '../server/test-app.js'
import { insertStoredSpans } from '../store/spans.js'
import { execute } from '../support/clickhouse.js'
import { foreignRows } from '../support/foreign-traces.js'
import { indexStored, richPlan, sendPlans } from './sample-plans.js'
import { shapeProblems } from './panel-shape.js'

const MINUTES = 60_000
const DAY = 86_400_000
const MONTH = { plans: 2000, days: 30, seed: 'dashboards', until: Date.UTC(2026, 9, 31, 15) }

const fixtures = new URL('../fixtures/', import.meta.url)
const samples = ['lynxe', 'plan-act/default-mock', 'plan-act/no-steps', 'review-log', 'seeds', 'trajectory']
  .flatMap((folder) => readdirSync(new URL(folder, fixtures)).map((name) => `${folder}/${name}`))
  .filter((path) => /\.(json|jsonl|sse)$/.test(path) && !path.includes('_output.example'))

const dashboards = Object.entries(DASHBOARDS) as unknown as [string, DashboardModel][]

const named = Object.fromEntries(dashboards) as Readonly<Record<string, DashboardModel>>
const agentsAndTools = named['agents-and-tools']!
const plans = named['plans']!
const riskAndReview = named['risk-and-review']!
const onePlan = named['one-plan']!

// Each filter with the first panel that it affects.
const filters = dashboards.flatMap(([title, dashboard]) =>
  dashboard.templating.list
    .filter(({ multi }) => multi)
    .map(({ name }): [string, DashboardModel, string, Query] => {
      const targets = dashboard.panels.flatMap(({ targets }) => targets ?? [])
      return [`${title}: ${name}`, dashboard, name, targets.find(({ rawSql }) => rawSql.includes(`, $${name})`))!]
    }),
)

let app: TestApp
let source: DataSource

beforeAll(async () => {
  app = await startTestApp()
  source = { url: inject('clickhouseReaderUrl'), database: app.store.database }
})

afterAll(async () => {
  await app.close()
})

/** Opens a dashboard, as the read-only user. */
async function open(dashboard: DashboardModel, range: TimeRange, chosen = {}): Promise<DashboardRun> {
  const run = await runDashboard(source, dashboard, range, chosen)
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
    await indexStored(app.store)
  })

  test.each(dashboards)('every query of %s runs, and its result fits its panel', async (_, dashboard) => {
    expect(problemsOf(dashboard, await open(dashboard, range))).toEqual([])
  })
})

describe('over a month of 2,000 plans', { timeout: 5 * MINUTES }, () => {
  const range = { from: new Date(MONTH.until - MONTH.days * DAY), to: new Date(MONTH.until) }
  // The sample records have other times than the month.
  const during = `Timestamp BETWEEN ${range.from.getTime() / 1000} AND ${range.to.getTime() / 1000}`
  let plan: string

  beforeAll(async () => {
    await sendPlans(app, MONTH)
    plan = await richPlan(app)
  }, 5 * MINUTES)

  test.each(dashboards)('every query of %s returns rows that fit its panel', async (_, dashboard) => {
    const run = await open(dashboard, range, { plan })
    expect(run.queries.filter(({ frame }) => frame.length === 0).map(({ of }) => of)).toEqual([])
    expect(problemsOf(dashboard, run)).toEqual([])
  })

  test.each(filters)('the filter %s changes a panel', async (_, dashboard, name, target) => {
    const context = { range, intervalMs: DAY }
    const all = await chosenVariables(dashboard, range)
    const [first] = all.find((variable) => variable.name === name)!.options
    const one = all.map((variable) => (variable.name === name ? { ...variable, value: [first!] } : variable))
    const answers = await Promise.all([all, one].map((variables) => runQuery(source, target, variables, context)))
    expect(answers[1]!.frame).not.toEqual(answers[0]!.frame)
  })

  test('a rarely called tool has its latency drawn when it is selected', async () => {
    const [seldom] = await column(
      `SELECT ToolName FROM ${app.store.database}.tool_calls WHERE ${during} AND isNotNull(DurationMs) GROUP BY ToolName ORDER BY count() LIMIT 1`,
    )
    const latency = agentsAndTools.panels.find(({ title }) => title.startsWith('Tool latency'))!.targets![0]!
    const variables = (await chosenVariables(agentsAndTools, range)).map((variable) =>
      variable.name === 'tool' ? { ...variable, value: [seldom!] } : variable,
    )
    const { frame } = await runQuery(source, latency, variables, { range, intervalMs: DAY })
    expect(frame.fields.map(({ labels }) => labels?.['ToolName'])).toEqual([undefined, seldom])
  })

  test('every service with reviewed plans can be selected in the review panels', async () => {
    const services = await column(`SELECT DISTINCT ServiceName FROM ${app.store.database}.reviews WHERE ${during}`)
    const variables = await chosenVariables(riskAndReview, range)
    expect(variables.find(({ name }) => name === 'service')!.options).toEqual(expect.arrayContaining(services))
  })

  /** The only row of a panel over all plans. */
  async function row(dashboard: DashboardModel, title: string, within: TimeRange = range) {
    const target = dashboard.panels.find((panel) => panel.title === title)!.targets![0]!
    const variables = await chosenVariables(dashboard, within)
    const { frame } = await runQuery(source, target, variables, { range: within, intervalMs: DAY })
    return Object.fromEntries(frame.fields.map(({ name, values }) => [name, values[0]]))
  }

  test('sub-plans count as parts of their plans', async () => {
    const over = "State IN ('completed', 'failed', 'cancelled', 'interrupted')"
    const [all, started, ended, completed] = (await column(
      `SELECT arrayJoin([count(), countIf(IsRoot), countIf(IsRoot AND ${over}), countIf(IsRoot AND State = 'completed')])
       FROM ${app.store.database}.plans WHERE ${during}`,
    )) as [string, string, string, string]
    expect(Number(all)).toBeGreaterThan(Number(started))
    const shown = await row(plans, 'Plans of the time range')
    expect(shown).toMatchObject({ Started: Number(started), SuccessRate: Number(completed) / Number(ended) })
  })

  test('an open wait counts, however old it is', async () => {
    const lastHour = { from: new Date(MONTH.until - 3_600_000), to: range.to }
    const [open] = await column(`SELECT countIf(IsOpen) FROM ${app.store.database}.waits`)
    expect((await row(riskAndReview, 'Waits', lastHour))['Open']).toBe(Number(open))
  })

  test('a retry repeats a failed call with the same arguments', async () => {
    const [retries] = await column(
      `SELECT countIf(Before = 'failed') FROM (
         SELECT lagInFrame(State) OVER (PARTITION BY TraceId, PlanId, ToolName, Arguments ORDER BY Timestamp) AS Before
         FROM ${app.store.database}.tool_calls WHERE ${during} AND Arguments != '')`,
    )
    expect((await row(agentsAndTools, 'Tools'))['Retries']).toBe(Number(retries))
  })

  test('each failed plan has a cause', async () => {
    const target = plans.panels.find(({ title }) => title === 'Why plans fail')!.targets![0]!
    const variables = await chosenVariables(plans, range)
    const { frame } = await runQuery(source, target, variables, { range, intervalMs: DAY })
    const field = (name: string) => frame.fields.find((each) => each.name === name)!.values
    const [broken] = await column(
      `SELECT count() FROM ${app.store.database}.plans WHERE ${during} AND IsRoot AND State IN ('failed', 'interrupted')`,
    )
    expect(field('Plans').reduce<number>((sum, each) => sum + Number(each), 0)).toBe(Number(broken))
    const tests = field('Error').indexOf('AssertionError')
    expect(field('Tool')[tests]).toBe('run_tests')
    expect(field('Reason')[tests]).toBe('3 tests failed.')
  })

  test('a plan counts among the durations after it has ended', async () => {
    const durations = plans.panels.find(({ title }) => title.startsWith('Duration'))!.targets![0]!
    const { frame } = await runQuery(source, durations, await chosenVariables(plans, range), {
      range,
      intervalMs: 1000 * DAY,
    })
    const [median] = await column(
      `SELECT quantile(0.5)(DurationMs / 1000) FROM ${app.store.database}.plans WHERE ${during} AND IsRoot AND State NOT IN ('planning', 'running', 'updating', 'waiting', '')`,
    )
    expect(frame.fields.find(({ name }) => name === 'median')!.values).toEqual([Number(median)])
  })
})

describe('over a trace of another instrumentation', { timeout: MINUTES }, () => {
  const spans = foreignRows('openinference/openai-agents-js.otlp.json')
  const [{ traceId, serviceName, startTimeUnixNano }] = spans as [StoredSpan]
  const start = Number(startTimeUnixNano / 1_000_000n)
  const range = { from: new Date(start - DAY), to: new Date(start + DAY) }

  beforeAll(async () => {
    await insertStoredSpans(app.store.client, app.store.database, spans)
    await indexStored(app.store)
  })

  test('its service and convention can be selected, and its plan opened', async () => {
    const chosen = await chosenVariables(plans, range)
    const options = (name: string) => chosen.find((variable) => variable.name === name)!.options
    expect(options('service')).toContain(serviceName)
    expect(options('workflow')).toContain('openinference')
    const { queries } = await open(onePlan, range, { plan: traceId })
    const filled = queries.filter(({ frame }) => frame.length > 0).map(({ of }) => of)
    expect(filled).toEqual(expect.arrayContaining(['Status (stat) A', 'Model calls (table) A']))
  })
})

async function column(sql: string): Promise<string[]> {
  return (await execute(inject('clickhouseUrl'), sql)).trimEnd().split('\n')
}

async function chosenVariables(dashboard: DashboardModel, range: TimeRange): Promise<readonly VariableValue[]> {
  return (await runDashboard(source, { ...dashboard, panels: [] }, range)).variables
}
