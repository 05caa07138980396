import { ATTR, type StoredSpan } from '../../../semconv/index.js'
import { type Meaning, meaningOf } from './attribute-meanings.js'
import type { Kind } from '../kind.js'

/** What a span of an unknown instrumentation is, by the names of its attributes. */
export interface Guess {
  readonly kind: Kind
  /** The span's values under names that planspan reads. */
  readonly attributes: Readonly<Record<string, string>>
  /** The attribute that each value was read from. */
  readonly sources: Readonly<Record<string, string>>
  /** Whether the span has a model's tokens, which only a model call or a sum of calls has. */
  readonly isCounted: boolean
}

type Names = Partial<Record<Meaning, readonly string[]>>

const COUNTS: Names = {
  model: [ATTR.requestModel],
  responseModel: [ATTR.responseModel],
  inputTokens: [ATTR.usageInputTokens],
  outputTokens: [ATTR.usageOutputTokens],
  cacheReadTokens: [ATTR.usageCacheReadTokens],
  cacheWriteTokens: [ATTR.usageCacheWriteTokens],
  reasoningTokens: [ATTR.usageReasoningTokens],
}

/** The names under which the values of each kind of span are read. */
const NAMES: Partial<Record<Kind, Names>> = {
  // The answer may contain the usage.
  generation: { ...COUNTS, input: [ATTR.inputMessages], output: [ATTR.outputMessages, 'output.value'] },
  tool: {
    label: [ATTR.toolName],
    toolName: [ATTR.toolName],
    callId: [ATTR.toolCallId],
    input: [ATTR.toolCallArguments],
    arguments: [ATTR.toolCallArguments],
    output: [ATTR.toolCallResult],
  },
  agent: { label: [ATTR.agentName], agentName: [ATTR.agentName], input: ['input.value'], output: ['output.value'] },
}

const OF_EVERY_KIND: Names = { conversation: [ATTR.conversationId] }

/** Words for kinds of spans, as values of an attribute for the kind. */
const KIND_WORDS: ReadonlyMap<string, Kind> = new Map([
  ...['llm', 'model', 'chat', 'generation', 'completion', 'llm_call', 'llm_request', 'model_call', 'inference'].map(
    (word) => [word, 'generation'] as const,
  ),
  ...['tool', 'tool_call', 'function', 'function_call', 'execute_tool', 'tool_execution'].map(
    (word) => [word, 'tool'] as const,
  ),
  ...['agent', 'agent_run', 'invoke_agent', 'sub_agent', 'subagent'].map((word) => [word, 'agent'] as const),
  ...['chain', 'flow', 'workflow', 'graph', 'crew', 'pipeline', 'task'].map((word) => [word, 'chain'] as const),
  ...['retriever', 'retrieval'].map((word) => [word, 'retrieval'] as const),
  ...['embedding', 'embeddings', 'embedder', 'memory', 'reranker'].map((word) => [word, 'none'] as const),
])

/** A message of a list that is spread over attributes. */
const SPREAD = /^(?<list>.+?)\.(?<rest>\d+\..+)$/

const GUESSES = new WeakMap<StoredSpan, Guess | null>()

/** Guesses what a span is, and its values, from the names of its attributes. Undefined if the names do not say it. */
export function guessOf(span: StoredSpan): Guess | undefined {
  let guess = GUESSES.get(span)
  if (guess === undefined) GUESSES.set(span, (guess = readNames(span) ?? null))
  return guess ?? undefined
}

function readNames({ attributes }: StoredSpan): Guess | undefined {
  const found = new Map<Meaning, string>()
  const spread: (readonly [name: string, key: string])[] = []
  let stated: Kind | undefined
  for (const key in attributes) {
    const part = SPREAD.exec(key)?.groups
    if (part) addPart(part, key, spread)
    const meaning = part ? undefined : meaningOf(key)
    if (meaning === undefined || attributes[key] === '') continue
    if (meaning === 'kind') stated = kindIn(attributes[key]) ?? stated
    else if (!found.has(meaning)) found.set(meaning, key)
  }
  const isCounted = found.has('inputTokens') && found.has('outputTokens')
  const kind = stated ?? kindBy(found, isCounted)
  const answer = attributes[found.get('output') ?? ''] ?? ''
  if (kind === undefined || (kind === 'generation' && !isCounted && !found.has('model') && !USAGE.test(answer)))
    return undefined
  const sources: Record<string, string> = {}
  const names: Names = { ...OF_EVERY_KIND, ...(NAMES[kind] ?? NAMES.agent) }
  for (const meaning in names) {
    const key = found.get(meaning as Meaning)
    for (const name of key === undefined ? [] : (names[meaning as Meaning] ?? [])) sources[name] = key as string
  }
  if (kind === 'generation') for (const [name, key] of spread) sources[name] = key
  const values = Object.entries(sources).map(([name, key]) => [name, attributes[key] ?? ''] as const)
  return { kind, attributes: Object.fromEntries(values), sources, isCounted }
}

/** An answer with the tokens that it took. */
const USAGE = /"\w*(usage|tokens)\w*"/i

function addPart(
  { list = '', rest = '' }: Readonly<Record<string, string>>,
  key: string,
  spread: (readonly [name: string, key: string])[],
): void {
  const side = /input|prompt/i.test(list) ? 'input' : /output|completion/i.test(list) ? 'output' : undefined
  if (side !== undefined) spread.push([`llm.${side}_messages.${rest}`, key])
}

const kindIn = (value = ''): Kind | undefined => KIND_WORDS.get(value.toLowerCase().replaceAll(/[\s.-]+/g, '_'))

/** Tokens are a model's. A name is a tool's or an agent's only beside what it was given or returned. */
function kindBy(found: ReadonlyMap<Meaning, string>, isCounted: boolean): Kind | undefined {
  if (isCounted) return 'generation'
  if (!found.has('input') && !found.has('output') && !found.has('arguments')) return undefined
  if (found.has('toolName')) return 'tool'
  return found.has('agentName') ? 'agent' : 'chain'
}
