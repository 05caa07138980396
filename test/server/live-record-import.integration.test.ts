import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { livePlan } from '../../src/generate/live-plan.js'
import { Random } from '../../src/generate/random.js'
import { decodeRecord, toStoredSpan } from '../../src/mapping/index.js'
import { ATTR } from '../../src/semconv/index.js'
import { execute, freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { startTestApp, type TestApp } from './test-app.js'

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
  const [live, other] = apps
  await live!.send(plans.flatMap(({ spans }) => spans))
  for (const { spans } of plans) {
    const planId = String(spans[0]!.attributes[ATTR.planId])
    const { text } = decodeRecord(spans.map(toStoredSpan), { planId })!
    await other!.importRecords(Buffer.from(text), { source: 'elsewhere' })
  }
})
afterAll(() => Promise.all(apps.map((app) => app.close())))

const rows = async (view: string, columns: string, where: string): Promise<string[][]> =>
  Promise.all(
    databases.map(async ({ url, database }) => {
      const query = `SELECT ${columns} FROM ${database}.${view} WHERE ${where} ORDER BY ALL FORMAT JSONCompactEachRow`
      return (await execute(url, query)).trim().split('\n')
    }),
  )

describe('the record of a live plan that is imported in another store', () => {
  test.each([
    ['plans', 'PlanId, IsRoot, StepCount, ifNull(Completed, false), ReviewCount, ReviewFinalAction', 'IsRoot'],
    ['plan_usage', 'PlanId, InputTokens, OutputTokens, TotalTokens, CacheReadTokens, CacheWriteTokens', 'IsRoot'],
    ['plan_usage', 'PlanId, ReasoningTokens, AgentTokens, WorldModelTokens', 'IsRoot'],
    ['risks', 'PlanId, GuardrailName, Score, IsSafe, Policies, ActionTaken', 'true'],
    ['reviews', 'PlanId, Position, Attempt, Decision, Feedback', 'true'],
    ['waits', 'PlanId, Reason, Resolution, Actor, IsOpen, ReviewAction', 'true'],
    ['plans', 'PlanId, State, StepsCompleted, ProgressPercent', 'IsRoot'],
    [
      'model_calls',
      'PlanId, sum(InputTokens), sum(TotalTokens), sum(ifNull(ReasoningTokens, 0))',
      'true GROUP BY PlanId',
    ],
  ])('tells the same in %s: %s', async (view, columns, where) => {
    const [live, imported] = await rows(view, columns, where)
    expect(live!.length).toBeGreaterThan(5)
    expect(imported).toEqual(live)
  })
})
