import { unixNanoOf } from '../../src/mapping/index.js'
import { ATTR } from '../../src/semconv/index.js'
import type { PlanJson, RecordPage, SpanJson, SpanList } from '../../src/wire/index.js'
import type { TestApp } from './test-app.js'

/** A listed plan with the values from its record: its spans, including those of its sub-plans. */
export interface KnownPlan {
  readonly row: PlanJson
  readonly spans: readonly SpanJson[]
  readonly verdict: string | null
}

export const idOf = ({ traceId, planId }: PlanJson): string => `${traceId} ${planId}`

/** Reads JSON from a URL; throws unless the status is 200. */
export async function read<T>({ app }: TestApp, path: string): Promise<T> {
  const response = await app.request(path)
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as T
}

/** All plans that match a query, page by page. */
export async function listAll(server: TestApp, query: string, between?: () => Promise<void>): Promise<PlanJson[]> {
  const plans: PlanJson[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: RecordPage = await read(server, `/api/records?${query}${cursor && `&cursor=${cursor}`}`)
    plans.push(...page.records)
    cursor = page.nextCursor
    if (cursor !== null) await between?.()
  }
  return plans
}

/** The expected values of all plans, computed from the records themselves. */
export async function knownPlans(server: TestApp): Promise<KnownPlan[]> {
  const rows = await listAll(server, 'limit=1000')
  return Promise.all(
    rows.map(async (row) => {
      const path = `/api/records/${encodeURIComponent(row.planId)}`
      const { spans } = await read<SpanList>(server, `${path}/spans?trace=${row.traceId}`)
      const { headers } = await server.app.request(`${path}?trace=${row.traceId}`)
      const isOwn = ({ attributes }: SpanJson): boolean =>
        !row.live || [attributes[ATTR.planId], attributes[ATTR.planRootId]].includes(row.planId)
      return { row, spans: spans.filter(isOwn), verdict: headers.get('planspan-verdict') }
    }),
  )
}

export const hasSpan =
  (test: (span: SpanJson) => boolean) =>
  ({ spans }: KnownPlan): boolean =>
    spans.some(test)

export const hasValue = (key: string, value: string) => hasSpan(({ attributes }) => attributes[key] === value)

export const callsOf = ({ spans }: KnownPlan): SpanJson[] =>
  spans.filter(({ attributes, pending }) => attributes[ATTR.spanKind] === 'llm' && !pending)

const numberOf = ({ attributes }: SpanJson, key: string): number => Number(attributes[key] ?? 0)

export const tokensOf = (plan: KnownPlan): number => callsOf(plan).reduce((sum, call) => sum + tokensOfCall(call), 0)

function tokensOfCall(call: SpanJson): number {
  const { attributes } = call
  return ATTR.usageInputTokens in attributes || ATTR.usageOutputTokens in attributes
    ? numberOf(call, ATTR.usageInputTokens) + numberOf(call, ATTR.usageOutputTokens)
    : numberOf(call, ATTR.usageRollupTotalTokens)
}

/** Sums the token counts by kind over the calls that report them. */
export function tokenKindsOf(plan: KnownPlan) {
  const sum = (key: string): number => callsOf(plan).reduce((total, call) => total + numberOf(call, key), 0)
  return {
    inputTokens: sum(ATTR.usageInputTokens),
    outputTokens: sum(ATTR.usageOutputTokens),
    cacheReadTokens: sum(ATTR.usageCacheReadTokens),
  }
}

/** Failed spans without a failed child. */
export function failuresOf({ spans }: KnownPlan): number {
  const failed = spans.filter(({ statusCode, pending }) => statusCode === 'ERROR' && !pending)
  const above = new Set(failed.map(({ parentSpanId }) => parentSpanId))
  return failed.filter(({ spanId }) => !above.has(spanId)).length
}

export interface Price {
  readonly input: number
  readonly output: number
}

const COUNTS = [ATTR.usageInputTokens, ATTR.usageOutputTokens, ATTR.usageRollupTotalTokens]

/**
 * The cost of calls: the one that a call states, otherwise at prices per million tokens, with cached tokens at the same
 * price; null without any price.
 */
export function costOf(plan: KnownPlan, prices: Readonly<Record<string, Price>>): number | null {
  const costs = callsOf(plan).flatMap((call) => {
    const { attributes } = call
    if (ATTR.usageCostUsd in attributes) return [numberOf(call, ATTR.usageCostUsd)]
    const price = prices[attributes[ATTR.requestModel] ?? attributes[ATTR.responseModel] ?? '']
    if (!price || !COUNTS.some((key) => key in attributes)) return []
    return [
      (numberOf(call, ATTR.usageInputTokens) * price.input + numberOf(call, ATTR.usageOutputTokens) * price.output) /
        1e6,
    ]
  })
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0)
}

export function riskOf({ spans }: KnownPlan): number | null {
  const scores = spans.flatMap(({ attributes }) => attributes[ATTR.riskScore] ?? []).map(Number)
  return scores.length === 0 ? null : Math.max(...scores)
}

export const nanosOf = (time: string): bigint => unixNanoOf(time, 'UTC') ?? 0n
