import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ATTR } from '../../../src/semconv/index.js'
import { openStore, type OpenStore } from '../../../src/server/index.js'
import { loadPriceList } from '../../../src/server/open-store/keep-prices.js'
import { encode, makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'
import { insertSpans, NOON } from '../../store/spans.js'
import { execute, freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { startCluster } from '../../support/cluster.js'

const TOKENS = {
  [ATTR.usageInputTokens]: '1000000',
  [ATTR.usageOutputTokens]: '10000',
  [ATTR.usageCacheReadTokens]: '400000',
}
/** 600,000 × 2.5 + 400,000 × 1.25 + 10,000 × 10 millionths. */
const GPT_4O_COST = '2.1'

let fresh: FreshDatabase
let opened: OpenStore

beforeEach(async () => {
  fresh = await freshDatabase()
  opened = await open(fresh)
})
afterEach(async () => {
  await opened.close()
  await fresh.drop()
})

const open = ({ url, database, shardUrls }: FreshDatabase) =>
  openStore({ clickhouseUrl: url, database, hosts: shardUrls?.join() })

const query = async (sql: string, { url, database }: FreshDatabase = fresh) =>
  (await execute(url, sql.replaceAll('@', database))).trim()

const costOf = (model: string, at?: FreshDatabase) =>
  query(`SELECT CostUsd FROM @.model_calls WHERE PricedModel = '${model}'`, at)

/** A model call, as it arrives over OTLP. */
async function receive(model: string, { writer }: OpenStore = opened): Promise<void> {
  const attributes = { [ATTR.spanKind]: 'llm', [ATTR.planId]: 'p', [ATTR.requestModel]: model, ...TOKENS }
  const resource = makeSpan(1, {
    name: `chat ${model}`,
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  })
  await writer.write({ encoding: 'json', body: encode('json', makeRequest([resource])), spans: 1 })
}

/** The same call, as a collector writes it. */
const collect = (model: string, { store }: OpenStore = opened) =>
  insertSpans(store.client, store.database, [
    {
      traceId: 't',
      spanId: 's',
      name: `chat ${model}`,
      attributes: { [ATTR.spanKind]: 'llm', [ATTR.planId]: 'p', [ATTR.requestModel]: model, ...TOKENS },
    },
  ])

describe('the cost of a model call', () => {
  it.each([
    ['the receiver', receive],
    ['a collector', collect],
  ])('is known from the first span that %s stores', async (_, store) => {
    await store('gpt-4o')
    expect(await costOf('gpt-4o')).toBe(GPT_4O_COST)
  })

  it('is known for a call of another instrumentation, by a model that no list names', async () => {
    const tokens = { 'llm.token_count.prompt': '1000000', 'llm.token_count.completion': '10000' }
    const attributes = { 'openinference.span.kind': 'LLM', 'llm.model_name': 'claude-3-5-sonnet-20241022', ...tokens }
    await insertSpans(opened.store.client, fresh.database, [
      { traceId: 'f'.repeat(32), spanId: 's', name: 'ChatOpenAI', attributes },
    ])
    await opened.indexer?.catchUp()
    await opened.store.priceModels(await loadPriceList())
    expect(await costOf('claude-3-5-sonnet-20241022')).toBe('3.15')
  })

  it('follows a price that changed while no server was running', async () => {
    const costOfPlan = () => query("SELECT CostUsd FROM @.plan_usage WHERE PlanId = 'p'")
    await receive('gpt-4o')
    await opened.indexer?.catchUp()
    expect(await costOfPlan()).toBe(GPT_4O_COST)
    await opened.close()
    await query(`INSERT INTO @.model_prices (Model, InputUsdPerMillionTokens, OutputUsdPerMillionTokens)
      VALUES ('gpt-4o', 1, 1)`)
    opened = await open(fresh)
    await opened.indexer?.catchUp()
    expect(await costOfPlan()).toBe('1.01')
  })

  it('is known on a cluster, too', async () => {
    const cluster = await startCluster()
    const serving = await open(cluster)
    try {
      await receive('gpt-4o', serving)
      expect(await costOf('gpt-4o', cluster)).toBe(GPT_4O_COST)
    } finally {
      await serving.close()
      await cluster.drop()
    }
  })

  it.each([
    ['the receiver', receive],
    ['a collector', collect],
  ])('is soon known for a model name that only matches a rule of the list, from %s', async (_, store) => {
    const list = await loadPriceList()
    const model = 'claude-3-5-sonnet-20241022'
    expect(list.models).not.toContain(model)
    await store(model)
    await vi.waitFor(async () => expect(Number(await costOf(model))).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 100,
    })
  })

  it('is soon known for a call whose span has another name', async () => {
    const { store } = opened
    const model = 'claude-3-5-haiku-20241022'
    expect((await loadPriceList()).models).not.toContain(model)
    await insertSpans(store.client, store.database, [
      {
        traceId: 't',
        spanId: 's',
        name: 'ask',
        start: Date.now() - NOON,
        attributes: { [ATTR.spanKind]: 'llm', [ATTR.requestModel]: model, ...TOKENS },
      },
    ])
    const priced = `SELECT count() FROM @.model_prices WHERE Model = '${model}'`
    await vi.waitFor(async () => expect(await query(priced)).toBe('1'), { timeout: 20_000, interval: 100 })
  })

  it('is unknown for a model that no list contains', async () => {
    await receive('a-model-of-our-own')
    expect(await costOf('a-model-of-our-own')).toBe('\\N')
  })
})

describe('prices', () => {
  const list = (input: number) => ({ models: ['m', 'n'], priceOf: () => ({ input, output: 1 }) })
  const inputs = () =>
    query(`SELECT Model, argMax(InputUsdPerMillionTokens, UpdatedAt) FROM @.model_prices
           WHERE Model IN ('m', 'n') GROUP BY Model ORDER BY Model FORMAT CSV`)

  it('of a list are written once, and again when the list has changed', async () => {
    expect(await opened.store.priceModels(list(1))).toEqual(['m', 'n'])
    expect(await opened.store.priceModels(list(1))).toEqual([])
    expect(await opened.store.priceModels(list(2))).toEqual(['m', 'n'])
    expect(await inputs()).toBe('"m",2\n"n",2')
  })

  it('that a person adds take precedence, before and after a list contains them', async () => {
    const add = (model: string) =>
      query(
        `INSERT INTO @.model_prices (Model, InputUsdPerMillionTokens, OutputUsdPerMillionTokens) VALUES ('${model}', 100, 0)`,
      )
    await add('m')
    expect(await opened.store.priceModels(list(1))).toEqual(['n'])
    await add('n')
    expect(await opened.store.priceModels(list(2))).toEqual([])
    expect(await inputs()).toBe('"m",100\n"n",100')
  })
})
