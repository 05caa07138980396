import { type Data, isData, isList, textIn } from '../semconv/index.js'

/**
 * Returns the provider that a model's response names, as the GenAI conventions spell it. Returns undefined if only the
 * format hints at a provider, since others use the formats of OpenAI, Anthropic and Gemini, too. Never throws.
 */
export function responseProvider(response: unknown): string | undefined {
  try {
    return isData(response) ? (ofAiSdk(response) ?? ofMessageId(response) ?? ofGroq(response)) : undefined
  } catch {
    return undefined
  }
}

/** A step of the AI SDK names the provider of its model, for example `openai.responses`; a result contains steps. */
function ofAiSdk({ model, steps }: Data): string | undefined {
  const step: unknown = isList(steps) ? steps.at(-1) : undefined
  const modelValue = isData(model) ? model : isData(step) ? step['model'] : undefined
  const named = isData(modelValue) ? textIn(modelValue, 'provider') : undefined
  return named && AI_SDK.find(([prefix]) => named === prefix || named.startsWith(`${prefix}.`))?.[1]
}

const AI_SDK = [
  ['openai', 'openai'],
  ['azure', 'azure.ai.openai'],
  ['azure-openai', 'azure.ai.openai'],
  ['anthropic', 'anthropic'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['bedrock', 'aws.bedrock'],
  ['google.vertex', 'gcp.vertex_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['google.generative-ai', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['groq', 'groq'],
  ['xai', 'x_ai'],
  ['deepseek', 'deepseek'],
  ['cohere', 'cohere'],
  ['perplexity', 'perplexity'],
  ['moonshotai', 'moonshot_ai'],
] as const

/** The clouds that serve Anthropic's models mark the ids of their messages. */
const ofMessageId = (response: Data): string | undefined =>
  MESSAGE_IDS.find(([prefix]) => textIn(response, 'id')?.startsWith(prefix))?.[1]

const MESSAGE_IDS = [
  ['msg_bdrk_', 'aws.bedrock'],
  ['msg_vrtx_', 'gcp.vertex_ai'],
] as const

const ofGroq = (response: Data): string | undefined => (isData(response['x_groq']) ? 'groq' : undefined)
