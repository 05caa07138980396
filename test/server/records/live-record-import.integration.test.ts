import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { livePlan } from '../../../src/generate/generated-live-plan.js'
import { Random } from '../../../src/generate/random.js'
import { decodeRecord, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { execute, freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { startTestApp, type TestApp } from '../test-app.js'

const START = Date.UTC(2026, 2, 4, 12)
const plans = Array.from({ length: 30 }, (_, number) => {
  const random = new Random(`views/${String(number)}`)
  return livePlan({ random, start: START + number * 1_000, until: START + 86_400_000 * 30 })
})

let databases: FreshDatabase[]
let apps: TestApp[]

beforeAll(async () => {
  databases = await Promise.all([freshDatabase(), freshDatabase()])
  apps = await Promise.all(databases.map((database) => startTestApp({}, database)))
  const prices = ['claude-sonnet-4-5', 'gpt-5.4-mini', 'gemini-2.5-flash'].map((model) => `('${model}', 3, 15)`).join()
  for (const { url, database } of databases) {
    await execute(
      url,
      `INSERT INTO ${database}.model_prices (Model, InputUsdPerMillionTokens, OutputUsdPerMillionTokens) VALUES ${prices}`,
    )
  }
  const [live, other] = apps
  await live!.send(plans.flatMap(({ spans }) => spans))
  for (const { spans } of plans) {
    const planId = String(spans[0]!.attributes[ATTR.planId])
    const { text } = decodeRecord(spans.map(toStoredSpan), { planId })!
    await other!.importRecords(Buffer.from(text), { source: 'elsewhere' })
  }
  await Promise.all(apps.map((app) => app.index()))
})
afterAll(() => Promise.all(apps.map((app) => app.close())))

const rows = async (view: string, columns: string, where: string): Promise<string[][]> =>
  Promise.all(
    databases.map(async ({ url, database }) => {
      const query = `SELECT ${columns} FROM ${database}.${view} WHERE ${where} ORDER BY ALL FORMAT JSONCompactEachRow`
      return (await execute(url, query)).trim().split('\n')
    }),
  )

describe('a live plan’s record, imported into another store', () => {
  test.each([
    ['plans', 'PlanId, IsRoot, StepCount, ifNull(Completed, false), ReviewCount, ReviewFinalAction', 'IsRoot'],
    [
      'plan_usage',
      'PlanId, ModelCalls, InputTokens, OutputTokens, TotalTokens, CacheReadTokens, CacheWriteTokens',
      'IsRoot',
    ],
    [
      'plan_usage',
      'PlanId, ReasoningTokens, AgentTokens, WorldModelTokens, round(CostUsd, 9), UnpricedCalls',
      'IsRoot',
    ],
    ['risks', 'PlanId, AgentName, GuardrailName, Score, IsSafe, Policies, ActionTaken, ToolName', 'true'],
    ['reviews', 'PlanId, Position, Attempt, Decision, Feedback', 'true'],
    ['waits', 'PlanId, AgentName, Reason, Resolution, Actor, State, IsOpen, ReviewAction', 'true'],
    ['agents', 'PlanId, AgentName, StepId, State', "State != ''"],
    ['think_acts', 'PlanId, AgentName, State', 'true'],
    ['tool_calls', 'PlanId, AgentName, ToolName, CallId, Arguments', 'true'],
    ['plans', 'PlanId, State, StepsCompleted, ProgressPercent', 'IsRoot'],
    [
      'model_calls',
      'PlanId, AgentName, Model, Provider, ResponseModel, UsageRole, InputTokens, OutputTokens, TotalTokens, CostUsd',
      'true',
    ],
    ['model_calls', 'PlanId, Timestamp, Model, CacheReadTokens, CacheWriteTokens, ReasoningTokens', 'true'],
  ])('gives the same values in %s: %s', async (view, columns, where) => {
    const [live, imported] = await rows(view, columns, where)
    expect(live!.length).toBeGreaterThan(5)
    expect(imported).toEqual(live)
  })
})
