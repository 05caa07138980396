import { expect, it } from 'vitest'

import { loadPriceList } from '../../../src/server/open-store/keep-prices.js'

it.each([
  ['openai/gpt-4o-mini', 'gpt-4o-mini'],
  ['openai:gpt-4o-mini', 'gpt-4o-mini'],
  ['openai-responses:gpt-4o-mini', 'gpt-4o-mini'],
  ['azure/gpt-4o-mini', 'gpt-4o-mini'],
  ['my-gateway/openai/gpt-4o-mini', 'gpt-4o-mini'],
  ['anthropic:claude-3-5-haiku-latest', 'claude-3-5-haiku-latest'],
  ['anthropic/claude-3-5-haiku-latest', 'claude-3-5-haiku-latest'],
  ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
  ['gemini/gemini-2.5-flash', 'gemini-2.5-flash'],
  ['google-gla:gemini-2.5-flash', 'gemini-2.5-flash'],
  ['vertex_ai/gemini-2.5-flash', 'gemini-2.5-flash'],
  ['publishers/google/models/gemini-2.0-flash@001', 'gemini-2.0-flash-001'],
  ['publishers/anthropic/models/claude-3-5-haiku@20241022', 'claude-3-5-haiku-20241022'],
  ['bedrock/us.anthropic.claude-3-haiku-20240307-v1:0', 'claude-3-haiku-20240307'],
  ['us.anthropic.claude-3-haiku-20240307-v1:0', 'claude-3-haiku-20240307'],
  [
    'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-3-haiku-20240307-v1:0',
    'claude-3-haiku-20240307',
  ],
  ['ft:gpt-4o-mini:shop::id', 'ft:gpt-4o-mini-2024-07-18:shop::id'],
])('%s has the price of %s', async (model, same) => {
  const { priceOf } = await loadPriceList()
  const { input, output } = priceOf(same) ?? {}
  expect(input).toBeGreaterThan(0)
  expect(priceOf(model)).toMatchObject({ input, output })
})

it.each(['azure/a-deployment', 'ollama/gpt-4o', 'a-model-of-our-own', 'llama3.2:latest', ':', '/', ''])(
  '%j has no price',
  async (model) => {
    expect((await loadPriceList()).priceOf(model)).toBeUndefined()
  },
)
