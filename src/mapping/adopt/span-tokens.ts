import { isData, type StoredSpan, usageOf } from '../../semconv/index.js'
import { sumOf } from '../usage/index.js'
import { dataIn } from './json-data.js'
import type { Place } from './fact-place.js'
import { ANSWER_JSON, TOKENS, USAGE_JSON } from './fact-places.js'

type Count = keyof typeof TOKENS

/** The token counts of a span. Unknown counts are left out. A 0 is a known count. */
export type Tokens = { readonly [Name in Count]?: number }

const COUNTS = Object.keys(TOKENS) as Count[]

export function tokensOf(span: StoredSpan): Tokens {
  const found = counts((name) =>
    TOKENS[name].map((key) => span.attributes[key]).find((text) => countOf(text) !== undefined),
  )
  if (hasTokens(found)) return found
  for (const usage of [
    ...USAGE_JSON.map((place) => jsonAt(span, place)),
    ...ANSWER_JSON.map((place) => usageIn(jsonAt(span, place))),
  ]) {
    const values = usageOf(usage)
    const found = counts((name) => values[name])
    if (hasTokens(found)) return found
  }
  return {}
}

export const hasTokens = ({ inputTokens, outputTokens }: Tokens): boolean =>
  inputTokens !== undefined || outputTokens !== undefined

/** Sums the tokens of several spans. */
export const sumTokens = (all: readonly Tokens[]): Tokens => counts((name) => sumOf(all.map((tokens) => tokens[name])))

function counts(valueOf: (name: Count) => unknown): Tokens {
  return Object.fromEntries(
    COUNTS.flatMap((name) => {
      const count = countOf(valueOf(name))
      return count === undefined ? [] : [[name, count]]
    }),
  )
}

function countOf(value: unknown): number | undefined {
  const count =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d+(\.0+)?$/.test(value)
        ? Number(value)
        : undefined
  return Number.isSafeInteger(count) ? count : undefined
}

const jsonAt = ({ attributes }: StoredSpan, place: Place): unknown =>
  typeof place === 'string' ? dataIn(attributes[place]) : undefined

/** Returns the usage in the JSON of an answer: its own, or that of LangChain's result. */
function usageIn(answer: unknown): unknown {
  if (!isData(answer)) return undefined
  const { usage, usage_metadata, usageMetadata, llmOutput, llm_output } = answer
  const inOutput = [llmOutput, llm_output].find(isData)
  return usage ?? usage_metadata ?? usageMetadata ?? inOutput?.['tokenUsage'] ?? inOutput?.['token_usage']
}
