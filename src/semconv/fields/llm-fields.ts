import { again, assistantParts, boolean, int, json, text, textList } from '../field.js'
import { planFields } from './plan-fields.js'

/** `chat`: one model call, the only span that carries token usage. */
export const llmFields = {
  model: text('gen_ai.request.model', 'The model that was asked for.', { stored: 'Model', fewValues: true }),
  provider: text('gen_ai.provider.name', 'Who serves the model.', { stored: 'Provider', fewValues: true }),
  responseModel: text('gen_ai.response.model', 'The model that answered.', {
    stored: 'ResponseModel',
    fewValues: true,
  }),
  responseId: text('gen_ai.response.id', 'The provider’s id of the answer.', { structural: true }),
  finishReasons: textList('gen_ai.response.finish_reasons', 'Why the model stopped.', { structural: true }),
  system: json('gen_ai.system_instructions', 'The system instructions of the model, a list of parts.', {
    content: true,
    column: 'SystemInstructions',
  }),
  tools: json('gen_ai.tool.definitions', 'The tools that the model might call, a list.', {
    content: true,
    column: 'ToolDefinitions',
  }),
  input: again(planFields.request, 'What the model was given.'),
  output: again(planFields.result, 'What the model answered.'),
  inputCharCount: int('planspan.think.input_char_count', 'Length of the input, characters.'),
  outputCharCount: int('planspan.think.output_char_count', 'Length of the output, characters.'),
  inputTokens: int('gen_ai.usage.input_tokens', 'Tokens read, cached ones included.', { stored: 'InputTokens' }),
  outputTokens: int('gen_ai.usage.output_tokens', 'Tokens written, reasoning included.', { stored: 'OutputTokens' }),
  cacheReadTokens: int('gen_ai.usage.cache_read.input_tokens', 'Input tokens read from a cache.', {
    name: 'usageCacheReadTokens',
    stored: 'CacheReadTokens',
  }),
  cacheWriteTokens: int('gen_ai.usage.cache_write.input_tokens', 'Input tokens written to a cache.', {
    name: 'usageCacheWriteTokens',
    stored: 'CacheWriteTokens',
  }),
  reasoningTokens: int('gen_ai.usage.reasoning.output_tokens', 'Output tokens spent on reasoning.', {
    name: 'usageReasoningTokens',
    stored: 'ReasoningTokens',
  }),
  reasoning: text('planspan.think.reasoning', 'The model’s reasoning, if the record separates it.', {
    content: true,
  }),
  reasoningEffort: text('gen_ai.request.reasoning.level', 'How much the model was to think.', { structural: true }),
  costUsd: again(planFields.usageCostUsd, 'The cost of the call that the record states, US dollars.', {
    column: 'StatedCostUsd',
  }),
  promptTokenIds: json('planspan.usage.prompt_token_ids', 'The ids of the tokens read, a list.', { content: true }),
  completionTokenIds: json('planspan.usage.completion_token_ids', 'The ids of the tokens written, a list.', {
    content: true,
  }),
  logprobs: json('planspan.usage.logprobs', 'The logarithms of their probabilities, a list.', { content: true }),
  usageExtra: again(planFields.usageExtra, 'Other values of the usage in the record, an object.'),
  totalTokens: again(
    planFields.usageTotalTokens,
    'The total tokens that the record states, if they are not the sum of the two.',
    { column: 'StatedTotalTokens' },
  ),
  usageSource: text(
    'planspan.usage.source',
    'Who made the call, if not the agent: world_model, policy_guardrail, reactive_guardrail.',
    { structural: true, stored: 'UsageSource', fewValues: true },
  ),
  usageAggregated: boolean('planspan.usage.aggregated', 'True when the usage is the sum of several calls.'),
  outputItems: assistantParts(planFields.result.key, 'The model’s answer, as the items of a Responses API.', {
    content: true,
  }),
} as const
