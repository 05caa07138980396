import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { loadPriceList } from '../../src/server/price-list.js'
import { ATTR } from '../../src/semconv/index.js'
import { execute } from '../support/clickhouse.js'
import { insertSpans, type TestSpan } from '../store/spans.js'
import { startTestApp, type TestApp } from './test-app.js'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.close())

const query = async (sql: string) =>
  (await execute(inject('clickhouseUrl'), sql.replaceAll('@', server.store.database))).trim()

const call = (model: string, tokens: Record<string, string>): TestSpan => ({
  traceId: `t-${model}`,
  spanId: 's',
  name: `chat ${model}`,
  attributes: { [ATTR.spanKind]: 'llm', [ATTR.planId]: 'p', [ATTR.requestModel]: model, ...tokens },
})

test('models that calls name are priced once; what was priced by hand stays, what no list knows has no cost', async () => {
  const priceOf = (await loadPriceList())!
  expect(priceOf('gpt-4o')).toMatchObject({ input: 2.5, output: 10, cacheRead: 1.25 })
  expect(priceOf('a-model-of-our-own')).toBeUndefined()
  await query(
    `INSERT INTO @.model_prices (Model, InputUsdPerMillionTokens, OutputUsdPerMillionTokens) VALUES ('gpt-4o-mini', 100, 1000)`,
  )
  const tokens = {
    [ATTR.usageInputTokens]: '1000000',
    [ATTR.usageOutputTokens]: '10000',
    [ATTR.usageCacheReadTokens]: '400000',
  }
  const models = ['gpt-4o', 'gpt-4o-mini', 'a-model-of-our-own']
  await insertSpans(
    server.store.client,
    server.store.database,
    models.map((model) => call(model, tokens)),
  )
  expect(await server.store.priceModels(priceOf)).toEqual(['gpt-4o'])
  expect(await server.store.priceModels(priceOf)).toEqual([])
  const costs = await query('SELECT PricedModel, CostUsd FROM @.model_calls ORDER BY PricedModel FORMAT CSV')
  // 600,000 × 2.5 + 400,000 × 1.25 + 10,000 × 10 millionths; by hand the cache costs what other input does.
  expect(costs.split('\n')).toEqual(['"a-model-of-our-own",\\N', '"gpt-4o",2.1', '"gpt-4o-mini",110'])
})
