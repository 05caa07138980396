import {
  countOf,
  isData,
  isList,
  type StoredSpan,
  totalUsage,
  type UsageValue,
  usageOf,
} from '../../../semconv/index.js'
import { sumOf } from '../../usage/index.js'
import { factOf } from './fact-place.js'
import { dataIn } from './json-data.js'
import { ANSWER_JSON, COST, TOKENS, USAGE_JSON } from './token-places.js'

const COUNTS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const
type Count = (typeof COUNTS)[number]

/** The token counts of a span. Unknown counts are left out. A 0 is a known count. */
export type Tokens = { readonly [Name in Count]?: number }

/** Returns the tokens that a model call reports, also deep in its answer. */
export const callTokensOf = (span: StoredSpan): Tokens => reportedBy(span, 6)

/** Returns the tokens that an agent reports. Its output may contain the usage of one call, which is not read. */
export const agentTokensOf = (span: StoredSpan): Tokens => reportedBy(span, 0)

/**
 * Reads the tokens in attributes, otherwise in the JSON of a usage or of an answer. The JSON also supplies the cached
 * and reasoning tokens that the attributes lack.
 */
function reportedBy(span: StoredSpan, depth: number): Tokens {
  const inAttributes = counts(totalUsage(attributeValues(span)))
  if (!hasTokens(inAttributes)) return tokensInJson(span, { depth, wanted: WITH_USAGE })
  return hasDetails(inAttributes)
    ? inAttributes
    : { ...detailsIn(span), ...tokensInJson(span, { depth, wanted: WITH_DETAILS }), ...inAttributes }
}

export const hasTokens = ({ inputTokens, outputTokens }: Tokens): boolean =>
  inputTokens !== undefined || outputTokens !== undefined

const hasDetails = ({ cacheReadTokens, cacheWriteTokens, reasoningTokens }: Tokens): boolean =>
  (cacheReadTokens ?? cacheWriteTokens ?? reasoningTokens) !== undefined

/** Returns the cost that a span reports, US dollars. */
export function statedCostOf(span: StoredSpan): number | undefined {
  const cost = Number(factOf(span, COST) ?? Number.NaN)
  return Number.isFinite(cost) && cost >= 0 ? cost : undefined
}

/** Sums the tokens of several spans. */
export const sumTokens = (all: readonly Tokens[]): Tokens =>
  counts(Object.fromEntries(COUNTS.map((name) => [name, sumOf(all.map((tokens) => tokens[name]))])))

const counts = (values: { readonly [Name in Count]?: unknown }): Tokens =>
  Object.fromEntries(
    COUNTS.flatMap((name) => {
      const count = countOf(values[name])
      return count === undefined ? [] : [[name, count]]
    }),
  )

/** The value of each attribute with a count, and its rank among the attributes with that value. */
const PLACES: ReadonlyMap<string, readonly [value: UsageValue, rank: number]> = new Map(
  Object.entries(TOKENS).flatMap(([value, keys]) => keys.map((key, rank) => [key, [value as UsageValue, rank]])),
)

/** Reads the attributes once: the table has many names, a span has few attributes. */
function attributeValues({ attributes }: StoredSpan): (value: UsageValue) => unknown {
  const found = new Map<UsageValue, readonly [rank: number, count: number]>()
  for (const key in attributes) {
    const [value, rank = 0] = PLACES.get(key) ?? PLACES.get(key.replace(OTHER_PREFIX, 'usage.')) ?? []
    const count = value && countOf(attributes[key])
    if (value === undefined || count === undefined) continue
    if (rank < (found.get(value)?.[0] ?? Infinity)) found.set(value, [rank, count])
  }
  return (value) => found.get(value)?.[1]
}

/** A framework's own prefix, such as `agentscope.`. */
const OTHER_PREFIX = /^[a-z]\w*\.usage\./

const WITH_USAGE = /"\w*(usage|token)/i
const WITH_DETAILS = /"\w*(cache|reasoning|thought)/i

interface Search {
  readonly depth: number
  /** Only answers that match are parsed. */
  readonly wanted: RegExp
}

function tokensInJson({ attributes }: StoredSpan, { depth, wanted }: Search): Tokens {
  for (const key in attributes) {
    if (!USAGE_JSON.test(key)) continue
    const found = counts(usageOf(dataIn(attributes[key])))
    if (hasTokens(found)) return found
  }
  for (const key of ANSWER_JSON) {
    const text = attributes[key]
    const found = text !== undefined && wanted.test(text) ? usageIn(dataIn(text), depth) : {}
    if (hasTokens(found)) return found
  }
  return {}
}

const USAGE_KEYS = ['usage', 'usage_metadata', 'usageMetadata', 'token_usage', 'tokenUsage']

/** Returns the usage in the JSON of an answer that is nearest to the top. */
function usageIn(answer: unknown, depth: number): Tokens {
  let level: unknown[] = [answer]
  for (let left = depth; left >= 0 && level.length <= MAX_ITEMS; left--) {
    const objects = level.filter(isData)
    for (const object of objects) {
      for (const key of USAGE_KEYS) {
        const found = counts(usageOf(object[key]))
        if (hasTokens(found)) return found
      }
    }
    level = level.flatMap((item) => (isList(item) ? item : isData(item) ? Object.values(item) : []))
  }
  return {}
}

/** More items than one level of an answer has. */
const MAX_ITEMS = 10_000

/** Reads LangSmith's details of a usage, which are written as JSON or by Python. */
const detailsIn = ({ attributes }: StoredSpan): Tokens =>
  counts(
    usageOf(
      Object.fromEntries(DETAILS.map((key) => [key, dataIn(attributes[`gen_ai.usage.${key}`]?.replaceAll("'", '"'))])),
    ),
  )

const DETAILS = ['input_token_details', 'output_token_details']
