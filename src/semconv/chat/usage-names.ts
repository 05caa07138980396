/** A value in the usage of a model call. */
export type UsageValue = keyof typeof USAGE_NAMES_OF

/**
 * The names of each value, as paths: planspan's, then those of OpenAI, Anthropic, Gemini, Bedrock, the AI SDK,
 * LangChain, Langfuse, Cohere and Ollama.
 */
export const USAGE_NAMES_OF = {
  /** These names include cached tokens. */
  input: [
    'prompt_tokens',
    'promptTokens',
    'promptTokenCount',
    'prompt_token_count',
    'inputTokens.total',
    'tokens.input_tokens',
    'prompt_eval_count',
  ],
  /** These include them, unless the cached tokens have a name that stands beside the input. */
  inputBesideCache: ['input', 'inputTokens', 'input_tokens'],
  output: [
    'output',
    'outputTokens',
    'outputTokens.total',
    'output_tokens',
    'completion_tokens',
    'completionTokens',
    'candidatesTokenCount',
    'candidates_token_count',
    'tokens.output_tokens',
    'eval_count',
  ],
  total: ['totalTokens', 'total_tokens', 'totalTokenCount', 'total_token_count', 'total'],
  cacheRead: [
    'cacheRead',
    'cacheReadTokens',
    'cache_read_tokens',
    'cachedInputTokens',
    'cachedContentTokens',
    'cachedContentTokenCount',
    'cached_content_token_count',
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'prompt_cache_hit_tokens',
    'inputTokens.cacheRead',
    'inputTokenDetails.cacheReadTokens',
    'input_token_details.cache_read',
  ],
  cacheWrite: [
    'cacheWrite',
    'cacheWriteTokens',
    'cache_write_tokens',
    'prompt_tokens_details.cache_write_tokens',
    'prompt_tokens_details.cache_creation_tokens',
    'input_tokens_details.cache_write_tokens',
    'inputTokens.cacheWrite',
    'inputTokenDetails.cacheWriteTokens',
    'input_token_details.cache_creation',
  ],
  reasoning: [
    'reasoning',
    'reasoningTokens',
    'thoughtsTokens',
    'thoughtsTokenCount',
    'thoughts_token_count',
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'outputTokens.reasoning',
    'outputTokenDetails.reasoningTokens',
    'output_token_details.reasoning',
    'output_reasoning',
    'output_reasoning_tokens',
  ],
  /** Anthropic, Bedrock and Langfuse report cached tokens separately and do not include them in the input. */
  cacheReadBeside: [
    'cache_read_input_tokens',
    'cacheReadInputTokens',
    'cacheReadInputTokenCount',
    'input_cache_read',
    'input_cached_tokens',
  ],
  cacheWriteBeside: [
    'cache_creation_input_tokens',
    'cacheCreationInputTokens',
    'cacheWriteInputTokens',
    'cacheWriteInputTokenCount',
    'input_cache_creation',
    'input_cache_write',
  ],
  /** Gemini and Langfuse report these separately from input and output. */
  inputBeside: ['toolUsePromptTokenCount', 'tool_use_prompt_token_count'],
  outputBeside: ['thoughtsTokenCount', 'thoughts_token_count', 'output_reasoning', 'output_reasoning_tokens'],
} as const satisfies Record<string, readonly string[]>
