import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { buildForest } from '../../../src/mapping/forest.js'
import { foldSpans, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR, type Span } from '../../../src/semconv/index.js'
import { usageBelow } from '../../../src/mapping/usage.js'
import { generatePlans } from '../../../src/generate/index.js'
import { execute } from '../../support/clickhouse.js'
import { startTestApp, type TestApp } from '../../server/test-app.js'

const directory = new URL('../../fixtures/', import.meta.url)

/** Every sample that is a file of records. */
const SAMPLES = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(?:lynxe|trajectory|review-log|plan-act|seeds)\/.*\.(?:jsonl?|sse)$/.test(path))
  .filter((path) => !path.includes('.example.'))
  .sort()

const bytesOf = (path: string): Uint8Array => readFileSync(new URL(path, directory))

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.close())

async function rows<Row>(sql: string): Promise<Row[]> {
  const text = await execute(
    inject('clickhouseUrl'),
    `${sql.replaceAll('@', server.store.database)} FORMAT JSONEachRow`,
  )
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

const sums = (trace: string) =>
  rows<Record<string, number | string>>(
    `SELECT PlanId, ModelCalls, InputTokens, OutputTokens, TotalTokens, AgentTokens + WorldModelTokens + HarmonyguardTokens + ReactiveTokens AS ByRole,
       CacheReadTokens, ReasoningTokens
     FROM @.plan_usage WHERE TraceId = '${trace}' AND IsRoot`,
  )

/** The usage that the mapping sums up over the leaves of a plan. */
function usageOf(spans: readonly Span[]) {
  const [root] = buildForest(foldSpans(spans.map(toStoredSpan)))
  return (
    usageBelow(root!) ?? { inputTokens: 0, outputTokens: 0, totalTokens: 0, cacheReadTokens: 0, reasoningTokens: 0 }
  )
}

test('a step before the current one of a record is done where no agent tells of it', async () => {
  const [imported] = await server.importRecords(bytesOf('lynxe/doc-example-2025-03-28.json'), { source: 'progress' })
  const [plan] = await rows<Record<string, number | string>>(
    `SELECT StepCount, StepsCompleted, round(ProgressPercent) AS Percent FROM @.plans WHERE TraceId = '${imported!.traceId}'`,
  )
  expect(plan).toMatchObject({ StepCount: expect.anything(), Percent: 67 })
  expect([Number(plan!['StepCount']), Number(plan!['StepsCompleted'])]).toEqual([3, 2])
})

describe('totals of a plan', () => {
  test.each(SAMPLES)('are the sum of its leaves: %s', async (path) => {
    for (const { spans, traceId } of await server.importRecords(bytesOf(path), { source: path })) {
      const isAgentAlone = spans[0]!.attributes[ATTR.spanKind] === 'agent'
      const usage = usageOf(spans)
      const calls = spans.filter(({ attributes }) => attributes[ATTR.spanKind] === 'llm').length
      const [row, ...more] = await sums(traceId)
      expect(more).toEqual([])
      expect(row === undefined).toBe(isAgentAlone)
      if (row) {
        const { ModelCalls, InputTokens, OutputTokens, TotalTokens, ByRole, CacheReadTokens, ReasoningTokens } = row
        expect(
          [ModelCalls, InputTokens, OutputTokens, TotalTokens, ByRole, CacheReadTokens, ReasoningTokens].map(Number),
        ).toEqual([
          calls,
          usage.inputTokens,
          usage.outputTokens,
          usage.totalTokens,
          usage.totalTokens,
          usage.cacheReadTokens,
          usage.reasoningTokens,
        ])
      }
    }
  })

  test('are the sum of its leaves in generated plans, sub-plans counted in once', async () => {
    const plans = [...generatePlans({ plans: 150, days: 2, seed: 'views', until: Date.UTC(2026, 2, 4, 12) })]
    await server.send(plans.flatMap(({ spans }) => spans))
    const traces = plans.map(({ spans }) => spans[0]!.traceId)
    const totals = await rows<{ trace: string; tokens: string }>(
      `SELECT TraceId AS trace, TotalTokens AS tokens FROM @.plan_usage WHERE IsRoot AND TraceId IN ('${traces.join("','")}')`,
    )
    const expected = new Map(plans.map(({ spans }) => [spans[0]!.traceId, usageOf(spans).totalTokens]))
    expect(new Map(totals.map(({ trace, tokens }) => [trace, Number(tokens)]))).toEqual(expected)
    const [sub] = await rows<{ plans: string; tokens: string; leaves: string }>(
      `SELECT count() AS plans, sum(TotalTokens) AS tokens,
         (SELECT sum(TotalTokens) FROM @.model_calls WHERE PlanId != RootPlanId AND TraceId IN ('${traces.join("','")}')) AS leaves
       FROM @.plan_usage WHERE NOT IsRoot AND TraceId IN ('${traces.join("','")}')`,
    )
    expect(Number(sub!.plans)).toBeGreaterThan(0)
    expect(sub!.tokens).toBe(sub!.leaves)
  })
})
