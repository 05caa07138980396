import { ATTR } from '../attributes.js'
import { assistantMessage, assistantParts, boolean, int, text, textList, userMessage } from '../field.js'

/** `chat`: one model call, the only span that carries token usage. */
export const llmFields = {
  model: text(ATTR.requestModel, 'The model that was asked for.'),
  provider: text(ATTR.providerName, 'Who serves the model.'),
  responseModel: text(ATTR.responseModel, 'The model that answered.'),
  responseId: text(ATTR.responseId, 'The provider’s id of the answer.'),
  finishReasons: textList(ATTR.responseFinishReasons, 'Why the model stopped.'),
  input: userMessage(ATTR.inputMessages, 'What the model was given.', { content: true }),
  output: assistantMessage(ATTR.outputMessages, 'What the model answered.', { content: true }),
  inputCharCount: int(ATTR.thinkInputCharCount, 'Length of the input, characters.'),
  outputCharCount: int(ATTR.thinkOutputCharCount, 'Length of the output, characters.'),
  inputTokens: int(ATTR.usageInputTokens, 'Tokens read, cached ones included.'),
  outputTokens: int(ATTR.usageOutputTokens, 'Tokens written, reasoning included.'),
  cacheReadTokens: int(ATTR.usageCacheReadTokens, 'Input tokens read from a cache.'),
  cacheWriteTokens: int(ATTR.usageCacheWriteTokens, 'Input tokens written to a cache.'),
  reasoningTokens: int(ATTR.usageReasoningTokens, 'Output tokens spent on reasoning.'),
  totalTokens: int(
    ATTR.usageRollupTotalTokens,
    'All tokens as the record tells, where they are not the sum of the two.',
  ),
  usageSource: text(ATTR.usageSource, 'Whose call it was when not the agent’s: world_model, harmonyguard, reactive.'),
  usageAggregated: boolean(ATTR.usageAggregated, 'True when the usage is the sum of several calls.'),
  outputItems: assistantParts(ATTR.outputMessages, 'What the model answered, as the items of a Responses API.', {
    content: true,
  }),
} as const
