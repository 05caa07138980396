import { expect, it } from 'vitest'

import {
  agentTokensOf,
  callTokensOf,
  statedCostOf,
  type Tokens,
} from '../../../src/mapping/adopt/values/span-tokens.js'
import { decodeRecord } from '../../../src/mapping/index.js'
import { type StoredSpan, usageOf } from '../../../src/semconv/index.js'
import { chat, rows } from '../../support/adopted-spans.js'

const span = (attributes: Record<string, unknown>): StoredSpan =>
  ({
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [
        key,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    ),
  }) as StoredSpan

/** Of 100 input tokens 40 were read from a cache and 10 written to one; of 20 output tokens 5 were reasoning. */
const ALL = {
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 40,
  cacheWriteTokens: 10,
  reasoningTokens: 5,
} as const
const { cacheReadTokens, cacheWriteTokens, reasoningTokens, ...BARE } = ALL
const READ = { ...BARE, cacheReadTokens, reasoningTokens }
const CACHED = { ...BARE, cacheReadTokens, cacheWriteTokens }

const USAGES: readonly [source: string, usage: object, tokens: Tokens][] = [
  [
    'OpenAI chat',
    {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 5 },
    },
    READ,
  ],
  [
    'OpenAI responses',
    {
      input_tokens: 100,
      output_tokens: 20,
      total_tokens: 120,
      input_tokens_details: { cached_tokens: 40 },
      output_tokens_details: { reasoning_tokens: 5 },
    },
    READ,
  ],
  [
    'Anthropic',
    { input_tokens: 50, output_tokens: 20, cache_read_input_tokens: 40, cache_creation_input_tokens: 10 },
    CACHED,
  ],
  [
    'Gemini',
    {
      promptTokenCount: 100,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 5,
      cachedContentTokenCount: 40,
      totalTokenCount: 120,
    },
    READ,
  ],
  [
    'Gemini in Python',
    {
      prompt_token_count: 70,
      tool_use_prompt_token_count: 30,
      candidates_token_count: 15,
      thoughts_token_count: 5,
      cached_content_token_count: 40,
    },
    READ,
  ],
  [
    'Bedrock',
    { inputTokens: 50, outputTokens: 20, totalTokens: 120, cacheReadInputTokens: 40, cacheWriteInputTokens: 10 },
    CACHED,
  ],
  [
    'LangChain',
    {
      input_tokens: 100,
      output_tokens: 20,
      total_tokens: 120,
      input_token_details: { cache_read: 40, cache_creation: 10 },
      output_token_details: { reasoning: 5 },
    },
    ALL,
  ],
  [
    'the AI SDK',
    {
      inputTokens: 100,
      outputTokens: 20,
      inputTokenDetails: { cacheReadTokens: 40, cacheWriteTokens: 10 },
      outputTokenDetails: { reasoningTokens: 5 },
    },
    ALL,
  ],
  ['the AI SDK 5', { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 }, READ],
  [
    'a provider of the AI SDK',
    {
      inputTokens: { total: 100, noCache: 50, cacheRead: 40, cacheWrite: 10 },
      outputTokens: { total: 20, text: 15, reasoning: 5 },
    },
    ALL,
  ],
  [
    'Langfuse',
    {
      input: 50,
      input_cache_read: 40,
      input_cache_creation: 10,
      output: 15,
      output_reasoning: 5,
      total: 120,
    },
    ALL,
  ],
  ['Langfuse for Anthropic', { input: 60, output: 20, cache_read_input_tokens: 40 }, { ...BARE, cacheReadTokens }],
  [
    'LiteLLM',
    { prompt_tokens: 100, completion_tokens: 20, cache_read_input_tokens: 40, cache_creation_input_tokens: 10 },
    CACHED,
  ],
  [
    'DeepSeek',
    { prompt_tokens: 100, completion_tokens: 20, prompt_cache_hit_tokens: 40 },
    { ...BARE, cacheReadTokens },
  ],
  ['Cohere', { tokens: { input_tokens: 100, output_tokens: 20 } }, BARE],
  ['Ollama', { prompt_eval_count: 100, eval_count: 20 }, BARE],
]

it.each(USAGES)('reads the usage of %s', (_, usage, tokens) => {
  expect(defined(usageOf(usage))).toEqual(tokens)
  expect(callTokensOf(span({ usage }))).toEqual(tokens)
  expect(callTokensOf(span({ 'output.value': { usage } }))).toEqual(tokens)
})

const defined = (usage: object): object =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined))

const prefixed = (prefix: string, values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}${key}`, value]))

const LANGCHAIN_MESSAGE = {
  lc: 1,
  kwargs: {
    content: 'Hello',
    usage_metadata: { input_tokens: 100, output_tokens: 20, input_token_details: { cache_read: 40 } },
  },
}

it.each<[what: string, attributes: Record<string, unknown>, tokens: Tokens]>([
  [
    'the conventions, with details in the framework’s own JSON',
    {
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'mirascope.response.usage': { input_tokens: 100, output_tokens: 20, cache_read_tokens: 40, total_tokens: 120 },
    },
    { ...BARE, cacheReadTokens },
  ],
  [
    'the conventions, with a detail under the framework’s own prefix',
    { 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 20, 'agentscope.usage.cache_input_tokens': 40 },
    { ...BARE, cacheReadTokens },
  ],
  [
    'the GenAI conventions',
    prefixed('gen_ai.usage.', {
      input_tokens: 100,
      output_tokens: 20,
      'cache_read.input_tokens': 40,
      'cache_creation.input_tokens': 10,
      'reasoning.output_tokens': 5,
    }),
    ALL,
  ],
  [
    'older GenAI conventions, whose input includes the cache whatever its name',
    prefixed('gen_ai.usage.', {
      prompt_tokens: 100,
      completion_tokens: 20,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 10,
    }),
    CACHED,
  ],
  [
    'OpenInference',
    prefixed('llm.token_count.', {
      prompt: 100,
      completion: 20,
      total: 120,
      'prompt_details.cache_read': 40,
      'prompt_details.cache_write': 10,
      'completion_details.reasoning': 5,
    }),
    ALL,
  ],
  [
    'the AI SDK, under two conventions',
    {
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'ai.usage.inputTokens': 100,
      'ai.usage.cachedInputTokens': 40,
      'ai.usage.reasoningTokens': 5,
    },
    READ,
  ],
  [
    'Claude Code, which reports the cache beside the input',
    { input_tokens: 50, output_tokens: 20, cache_read_tokens: 40, cache_creation_tokens: 10 },
    CACHED,
  ],
  [
    'an input without the cache, as the total proves',
    prefixed('gen_ai.usage.', {
      input_tokens: 60,
      output_tokens: 20,
      total_tokens: 120,
      cache_read_input_tokens: 40,
    }),
    { ...BARE, cacheReadTokens },
  ],
  [
    'an input without the cache, which is larger',
    prefixed('gen_ai.usage.', { input_tokens: 5, output_tokens: 20, 'cache_read.input_tokens': 95 }),
    { ...BARE, cacheReadTokens: 95 },
  ],
  [
    'an output without reasoning, as the total proves',
    prefixed('gen_ai.usage.', { input_tokens: 100, output_tokens: 15, total_tokens: 120, reasoning_tokens: 5 }),
    { ...BARE, reasoningTokens },
  ],
  [
    'details that only the answer has',
    {
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.completion': { generations: [[{ message: LANGCHAIN_MESSAGE }]] },
    },
    { ...BARE, cacheReadTokens },
  ],
  [
    'details as Python writes them',
    {
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.input_token_details': "{'cache_read': 40, 'cache_creation': 10}",
      'gen_ai.usage.output_token_details': "{'reasoning': 5}",
    },
    ALL,
  ],
  ['a message of LangChain', { 'output.value': LANGCHAIN_MESSAGE }, { ...BARE, cacheReadTokens }],
  ['no count', { 'gen_ai.usage.input_tokens': 'many' }, {}],
])('reads the tokens of %s', (_, attributes, tokens) => {
  expect(callTokensOf(span(attributes))).toEqual(tokens)
})

it('does not take the usage of a call for that of its agent', () => {
  const output = { 'traceloop.entity.output': { messages: [LANGCHAIN_MESSAGE] } }
  expect(agentTokensOf(span(output))).toEqual({})
})

it.each<[attributes: Record<string, unknown>, cost: number | undefined]>([
  [{ 'gen_ai.usage.cost': 0.25 }, 0.25],
  [{ 'operation.cost': 0 }, 0],
  [{ 'llm.cost.total': 2.5e-7 }, 2.5e-7],
  [{ 'langfuse.observation.cost_details': { input: 0.2, output: 0.05, total: 0.25 } }, 0.25],
  [{ 'output.value': { usage: { prompt_tokens: 1, cost: 0.25 } } }, 0.25],
  [{ 'gen_ai.usage.cost': 'unknown' }, undefined],
  [{}, undefined],
])('reads the cost that %j reports', (attributes, cost) => {
  expect(statedCostOf(span(attributes))).toBe(cost)
})

it.each<[what: string, usages: readonly (readonly [number, number])[], sum: readonly [number, number]]>([
  [
    'subtracts what a framework adds up',
    [
      [100, 10],
      [300, 30],
      [650, 35],
    ],
    [650, 35],
  ],
  [
    'adds counts that are no totals',
    [
      [100, 10],
      [150, 30],
    ],
    [250, 40],
  ],
])('%s', (_, usages, sum) => {
  const request = { 'gen_ai.operation.name': 'framework', 'spring.ai.kind': 'advisor' }
  const calls = usages.map(([input, output], at) => [`c${at}`, chat('r', input, output)] as const)
  const { usage } = decodedUsage(rows({ r: request, ...Object.fromEntries(calls) }))
  expect([usage.inputTokens, usage.outputTokens]).toEqual(sum)
})

interface Usage {
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}

const decodedUsage = (spans: readonly StoredSpan[]): Usage =>
  (JSON.parse(decodeRecord(spans)?.text ?? '') as { planspan: Usage }).planspan
