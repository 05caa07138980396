import { afterEach, beforeEach, expect, test } from 'vitest'
import { plan, type ModelSpan } from '../../src/tracing/index.js'
import { UNKNOWN_PROVIDER } from '../../src/semconv/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'

let sdk: InMemorySdk

beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

/** The provider on a model call's span. */
function providerOf(options: object, answer: (model: ModelSpan) => void): unknown {
  plan({}, (p) => p.planning({}, (s) => s.model({ model: 'm', ...options }, answer)))
  return sdk.span('chat m').attributes['gen_ai.provider.name']
}

const chat = { object: 'chat.completion', choices: [{ message: { role: 'assistant', content: 'Hi' } }] }
const claude = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' }
const step = (provider: string) => ({ content: [], finishReason: 'stop', model: { provider, modelId: 'm' } })

test.each<[string, unknown, string]>([
  ['Groq', { ...chat, x_groq: { id: 'req_1' } }, 'groq'],
  ['Anthropic’s model on Bedrock', { ...claude, id: 'msg_bdrk_01AbC' }, 'aws.bedrock'],
  ['Anthropic’s model on Vertex AI', { ...claude, id: 'msg_vrtx_01AbC' }, 'gcp.vertex_ai'],
  ['a step of the AI SDK', step('openai.responses'), 'openai'],
  ['another', step('anthropic.messages'), 'anthropic'],
  ['one through Bedrock', step('amazon-bedrock'), 'aws.bedrock'],
  ['one through Vertex AI', step('google.vertex.chat'), 'gcp.vertex_ai'],
  ['one through Azure', step('azure.responses'), 'azure.ai.openai'],
  ['a result of the AI SDK', { content: [], finishReason: 'stop', steps: [step('mistral.chat')] }, 'mistral_ai'],
  ['a provider that the conventions do not know', step('my-gateway.chat'), UNKNOWN_PROVIDER],
  ['OpenAI’s form, which many have', chat, UNKNOWN_PROVIDER],
  ['OpenAI’s other form', { object: 'response', output: [{ type: 'message', content: [] }] }, UNKNOWN_PROVIDER],
  ['Anthropic’s form, which others have, too', { ...claude, id: 'msg_01AbC' }, UNKNOWN_PROVIDER],
  [
    'Gemini’s form, which Vertex AI has, too',
    { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
    UNKNOWN_PROVIDER,
  ],
  ['text', 'openai', UNKNOWN_PROVIDER],
])('the provider is read from a response that names it: %s', (_what, answer, provider) => {
  expect(providerOf({}, (m) => m.output(answer))).toBe(provider)
})

test('the provider set by the user wins, whenever it is set', () => {
  const answer = step('openai.chat')
  expect(providerOf({ provider: 'mine' }, (m) => m.output(answer))).toBe('mine')
  sdk.uninstall()
  sdk = installSdk()
  const work = (m: ModelSpan) => {
    m.set({ provider: 'ours' })
    m.output(answer)
  }
  expect(providerOf({}, work)).toBe('ours')
  sdk.uninstall()
  sdk = installSdk()
  const tellAfter = (m: ModelSpan) => {
    m.output(answer)
    m.set({ provider: 'theirs' })
  }
  expect(providerOf({}, tellAfter)).toBe('theirs')
})

test('a response that cannot be read names no provider', () => {
  const hostile = new Proxy({}, { get: () => fail(), has: () => fail(), ownKeys: () => fail() })
  expect(providerOf({}, (m) => m.output(hostile))).toBe(UNKNOWN_PROVIDER)
})

function fail(): never {
  throw new Error('not to be read')
}
