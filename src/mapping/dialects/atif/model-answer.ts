import { ATTR, decodeFields, llmFields, parseJson } from '../../../semconv/index.js'
import type { HomeValues } from '../../record-object/index.js'
import type { SpanNode } from '../../tree/index.js'
import { spanObject, type SpanObject } from './span-object.js'

const { inputTokens, outputTokens, cacheReadTokens, costUsd } = llmFields
const MEASURED = { inputTokens, outputTokens, cacheReadTokens, costUsd }
type Measured = keyof typeof MEASURED
const MEASURES = Object.keys(MEASURED) as readonly Measured[]

/** What a step tells of its model calls: the last one's answer, and what all of them took. */
export interface Answer {
  readonly values: HomeValues<'llm'>
  /** What it has no keys for. */
  readonly rest: SpanObject
}

/** The last of a step's model calls; an unended one has told nothing yet. */
export function answerOf(calls: readonly SpanNode[]): Answer | undefined {
  const last = calls.at(-1)
  if (!last) return undefined
  const own = decodeFields(llmFields, last.span.attributes)
  const { model, responseModel, output, reasoning = reasoningOf(last), reasoningEffort } = own
  const isOnly = calls.length === 1
  const elsewhere = [
    'output',
    ...(own.reasoning === undefined ? [] : ['reasoning']),
    'reasoningEffort',
    ...(isOnly ? MEASURES : []),
    ...(responseModel === undefined ? ['model'] : []),
  ]
  return {
    values: {
      model: responseModel ?? model,
      output,
      reasoning,
      reasoningEffort,
      ...sumOf(calls),
    },
    rest: {
      ...spanObject(last, elsewhere),
      ...(own.reasoning === undefined && reasoning !== undefined ? { reasoning: null } : {}),
      ...(output === undefined ? { output: null } : {}),
    },
  }
}

/** A measure of several calls is their sum; a cost is known where that of each is. */
function sumOf(calls: readonly SpanNode[]): HomeValues<'llm'> {
  const told = calls.map(({ span }) => decodeFields(MEASURED, span.attributes))
  return Object.fromEntries(
    MEASURES.flatMap((name) => {
      const known = told.flatMap((one) => one[name] ?? [])
      if (known.length === 0 || (name === 'costUsd' && known.length < told.length)) return []
      return [[name, known.reduce((total, one) => total + one, 0)]]
    }),
  )
}

/** The reasoning in the messages that a live model call answered with. */
function reasoningOf({ span }: SpanNode): string | undefined {
  const messages = parseJson(span.attributes[ATTR.outputMessages] ?? '')
  const texts = listOf(messages)
    .flatMap((message) => listOf(message['parts']))
    .flatMap(({ type, content }) => (type === 'reasoning' && typeof content === 'string' ? [content] : []))
  return texts.length > 0 ? texts.join('\n') : undefined
}

const listOf = (value: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []

/** The tools that a model might call, in the form of OpenAI's definitions. */
export function toolDefinitions(calls: readonly SpanNode[]): string | undefined {
  for (const { span } of calls) {
    const { tools } = decodeFields(llmFields, span.attributes)
    const list = listOf(parseJson(tools ?? ''))
    if (list.length > 0) return JSON.stringify(list.map(definitionOf))
  }
  return undefined
}

/** The names that providers and instrumentations have for the schema of a tool's arguments. */
const SCHEMAS = ['parameters', 'input_schema', 'inputSchema'] as const

function definitionOf(tool: Readonly<Record<string, unknown>>): unknown {
  const { name, description, function: named } = tool
  if (typeof name !== 'string' || named !== undefined) return tool
  const parameters = SCHEMAS.map((key) => tool[key]).find((schema) => schema !== undefined)
  return { type: 'function', function: { name, description, parameters } }
}
