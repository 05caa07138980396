import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { generatePlans } from '../../src/generate/index.js'
import { toStoredSpan } from '../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../src/semconv/index.js'
import type { ListPlansOptions } from '../../src/store/plans/list-plans.js'
import { freshStore, type FreshStore } from './fresh-store.js'
import { insertStoredSpans } from './spans.js'

const UNTIL = Date.UTC(2026, 2, 4)

let server: FreshStore
let spans: StoredSpan[]
let planIds: string[]

beforeAll(async () => {
  server = await freshStore()
  const plans = [...generatePlans({ plans: 60, days: 2, seed: 'search', until: UNTIL })]
  spans = plans.flatMap(({ service, spans: own }) =>
    own.map((span) => ({ ...toStoredSpan(span), serviceName: service })),
  )
  // A repeated row changes no result.
  for (let time = 0; time < 2; time++) await insertStoredSpans(server.store.client, server.store.database, spans)
  planIds = await find({})
})

afterAll(() => server.close())

async function find(search: ListPlansOptions): Promise<string[]> {
  const now = BigInt(UNTIL) * 1_000_000n
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await server.store.reader.listPlans({ now, limit: 7, ...search, ...(cursor && { cursor }) })
    found.push(...page.plans.map(({ planId }) => planId))
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

const spansOf = (planId: string): StoredSpan[] =>
  spans.filter(({ attributes }) => [attributes[ATTR.planId], attributes[ATTR.planRootId]].includes(planId))

const some = (test: (attributes: Readonly<Record<string, string>>) => boolean) => (planId: string) =>
  spansOf(planId).some(({ attributes }) => test(attributes))

const tokensOf = (planId: string): number =>
  spansOf(planId)
    .filter(({ attributes }) => attributes[ATTR.spanKind] === 'llm')
    .reduce(
      (sum, { attributes }) =>
        sum + Number(attributes[ATTR.usageInputTokens] ?? 0) + Number(attributes[ATTR.usageOutputTokens] ?? 0),
      0,
    )

const isIn = (key: string, values: readonly string[]) =>
  some(({ [key]: value }) => value !== undefined && values.includes(value))

const ownText = (planId: string): string =>
  spansOf(planId)
    .filter(({ attributes }) => attributes[ATTR.spanKind] === 'plan' && attributes[ATTR.planId] === planId)
    .map(({ attributes }) => attributes[ATTR.planTitle] ?? '')
    .join('\n')
    .toLowerCase()

describe('a search finds the plans with', () => {
  it.each<[string, ListPlansOptions, (planId: string) => boolean]>([
    ['an agent', { agents: ['researcher'] }, isIn(ATTR.agentName, ['researcher'])],
    ['one of several tools', { tools: ['web_search', 'run_tests'] }, isIn(ATTR.toolName, ['web_search', 'run_tests'])],
    ['a model', { models: ['gpt-4o'] }, isIn(ATTR.requestModel, ['gpt-4o'])],
    ['an error', { errorTypes: ['TimeoutError'] }, isIn(ATTR.errorType, ['TimeoutError'])],
    ['a risk', { minRisk: 0.5 }, some(({ [ATTR.riskScore]: score }) => Number(score ?? 0) >= 0.5)],
    ['tokens', { minTokens: 40_000 }, (planId) => tokensOf(planId) >= 40_000],
    [
      'an agent and tokens',
      { agents: ['researcher'], minTokens: 10_000 },
      (planId) => isIn(ATTR.agentName, ['researcher'])(planId) && tokensOf(planId) >= 10_000,
    ],
    ['a text in the title', { text: 'TRIP' }, (planId) => ownText(planId).includes('trip')],
    ['nothing of the kind', { agents: ['nobody'] }, () => false],
  ])('%s', async (kind, search, expected) => {
    const found = planIds.filter(expected)
    expect(await find(search)).toEqual(found)
    if (kind !== 'nothing of the kind') expect([found.length > 0, found.length < planIds.length]).toEqual([true, true])
  })
})
