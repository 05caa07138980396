/** A name under which a price list may contain a model. */
export interface PriceName {
  readonly model: string
  /** The provider, as the name states it. @default any provider whose models have names of their own */
  readonly provider?: string
}

/** Providers whose models run on the user's own machines. Their models have no price, whatever their names are. */
const SELF_HOSTED: ReadonlySet<string> = new Set([
  'ollama',
  'ollama_chat',
  'lm_studio',
  'lmstudio',
  'llamafile',
  'vllm',
  'hosted_vllm',
  'local',
])

/** Bedrock's ids name the vendor of a model, and possibly a region: `us.anthropic.claude-…-v1:0`. */
const OF_BEDROCK = /^(?:[a-z]+\.)?[a-z\d]+\.[a-z]/

/** OpenAI's name of a tuned model: `ft:MODEL:ORGANIZATION::ID`. */
const TUNED = /^ft:(?<base>[^:]+):/

/**
 * Returns the names under which a price list may contain a model, likeliest first. Frameworks and gateways put
 * providers and paths before the name: `openai/gpt-4o`, `anthropic:claude-…`, `publishers/google/models/gemini-…@001`.
 */
export function priceNames(model: string): PriceName[] {
  const names: PriceName[] = [{ model }]
  const base = TUNED.exec(model)?.groups?.['base']
  // The lists contain tuned models by their releases.
  if (base !== undefined) return [...names, { model: `ft:${base}-2024-`, provider: 'openai' }]
  for (let rest = model; ;) {
    if (OF_BEDROCK.test(rest)) names.push({ model: rest, provider: 'aws' })
    const [, provider, name] = /^([^/:]+)[/:](.+)$/.exec(rest) ?? []
    if (provider === undefined || name === undefined) break
    if (SELF_HOSTED.has(provider)) return []
    names.push({ model: name, provider }, { model: name })
    rest = name
  }
  return names.flatMap((name) =>
    name.model.includes('@') ? [name, { ...name, model: name.model.replace('@', '-') }] : [name],
  )
}
