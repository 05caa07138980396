import { ATTR, decodeFields, llmFields, parseJson } from '../../../semconv/index.js'
import type { HomeValues } from '../../record-object/index.js'
import type { SpanNode } from '../../tree/index.js'

const { inputTokens, outputTokens, cacheReadTokens, costUsd } = llmFields
const MEASURED = { inputTokens, outputTokens, cacheReadTokens, costUsd }
type Measured = keyof typeof MEASURED
const MEASURES = Object.keys(MEASURED) as readonly Measured[]

/** Returns the last answer of a step's model calls, with the totals of all. */
export function answerOf(calls: readonly SpanNode[]): HomeValues<'llm'> | undefined {
  const last = calls.at(-1)
  if (!last) return undefined
  const own = decodeFields(llmFields, last.span.attributes)
  const { model, responseModel, output, reasoning = reasoningOf(last), reasoningEffort } = own
  return { model: responseModel ?? model, output, reasoning, reasoningEffort, ...sumOf(calls) }
}

/** Sums the measures of several calls. A cost is known only if that of each call is. */
function sumOf(calls: readonly SpanNode[]): HomeValues<'llm'> {
  const measured = calls.map(({ span }) => decodeFields(MEASURED, span.attributes))
  return Object.fromEntries(
    MEASURES.flatMap((name) => {
      const known = measured.flatMap((one) => one[name] ?? [])
      if (known.length === 0 || (name === 'costUsd' && known.length < measured.length)) return []
      return [[name, known.reduce((total, one) => total + one, 0)]]
    }),
  )
}

/** Returns the reasoning in the output messages of a live model call. */
function reasoningOf({ span }: SpanNode): string | undefined {
  const messages = parseJson(span.attributes[ATTR.outputMessages] ?? '')
  const texts = listOf(messages)
    .flatMap((message) => listOf(message['parts']))
    .flatMap(({ type, content }) => (type === 'reasoning' && typeof content === 'string' ? [content] : []))
  return texts.length > 0 ? texts.join('\n') : undefined
}

const listOf = (value: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []

/** Returns the tools of a model in the format of OpenAI's definitions. */
export function toolDefinitions(calls: readonly SpanNode[]): string | undefined {
  for (const { span } of calls) {
    const { tools } = decodeFields(llmFields, span.attributes)
    const list = listOf(parseJson(tools ?? ''))
    if (list.length > 0) return JSON.stringify(list.map(definitionOf))
  }
  return undefined
}

/** The names of the argument schema in tools of different providers and instrumentations. */
const SCHEMAS = ['parameters', 'input_schema', 'inputSchema'] as const

function definitionOf(tool: Readonly<Record<string, unknown>>): unknown {
  const { name, description, function: named } = tool
  if (typeof name !== 'string' || named !== undefined) return tool
  const parameters = SCHEMAS.map((key) => tool[key]).find((schema) => schema !== undefined)
  return { type: 'function', function: { name, description, parameters } }
}
