import { ATTR } from '../../semconv/index.js'
import type { Kind } from './kind.js'
import type { Place } from './values/fact-place.js'
import {
  AGENT_NAME,
  CONVERSATION,
  ERROR_TEXT,
  INPUT,
  MODEL,
  MODEL_INPUT,
  MODEL_OUTPUT,
  NAME_OF_AGENT,
  OUTPUT,
  PLAN_TITLE,
  PROVIDER,
  RESPONSE_MODEL,
  TOOL_ARGUMENTS,
  TOOL_CALL_ID,
  TOOL_DESCRIPTION,
  TOOL_NAME,
  TOOL_RESULT,
} from './values/fact-places.js'
import {
  GUARDRAIL_EXPLANATION,
  GUARDRAIL_NAME,
  GUARDRAIL_POLICY,
  GUARDRAIL_TRIGGERED,
  GUARDRAIL_WORD,
  RISK_SCORE,
} from './values/guardrail-places.js'
import { COST, TOKENS } from './values/token-places.js'

type Sources = Readonly<Record<string, readonly Place[]>>

const { input = [], inputBesideCache = [], output = [], cacheRead = [], cacheWrite = [], reasoning = [] } = TOKENS

const OF_TOKENS: Sources = {
  [ATTR.usageInputTokens]: [...input, ...inputBesideCache],
  [ATTR.usageOutputTokens]: output,
  [ATTR.usageCacheReadTokens]: cacheRead,
  [ATTR.usageCacheWriteTokens]: cacheWrite,
  [ATTR.usageReasoningTokens]: reasoning,
}

const OF_CALLS: Sources = {
  [ATTR.requestModel]: MODEL,
  [ATTR.responseModel]: RESPONSE_MODEL,
  [ATTR.providerName]: PROVIDER,
  [ATTR.inputMessages]: [
    { each: /^llm\.input_messages\./, as: 'llm.input_messages.*' },
    { each: /^gen_ai\.prompt\.\d/, as: 'gen_ai.prompt.*' },
    ...MODEL_INPUT,
  ],
  [ATTR.outputMessages]: [
    { each: /^llm\.output_messages\./, as: 'llm.output_messages.*' },
    { each: /^gen_ai\.completion\.\d/, as: 'gen_ai.completion.*' },
    { each: /^ai\.response\.(text|toolCalls)$/, as: 'ai.response.*' },
    ...MODEL_OUTPUT,
  ],
  ...OF_TOKENS,
  [ATTR.usageCostUsd]: COST,
}

const OF_TOOLS: Sources = {
  [ATTR.toolName]: TOOL_NAME,
  [ATTR.toolCallId]: TOOL_CALL_ID,
  [ATTR.toolDescription]: TOOL_DESCRIPTION,
  [ATTR.toolCallArguments]: TOOL_ARGUMENTS,
  [ATTR.toolCallResult]: TOOL_RESULT,
}

const OF_AGENTS: Sources = {
  [ATTR.agentName]: [...AGENT_NAME, ...NAME_OF_AGENT],
  [ATTR.inputMessages]: INPUT,
  [ATTR.outputMessages]: OUTPUT,
  ...OF_TOKENS,
}

const OF_PLANS: Sources = {
  [ATTR.planTitle]: PLAN_TITLE,
  [ATTR.inputMessages]: INPUT,
  [ATTR.planSummary]: OUTPUT,
  [ATTR.conversationId]: CONVERSATION,
}

const OF_GUARDRAILS: Sources = {
  [ATTR.guardrailName]: GUARDRAIL_NAME,
  [ATTR.riskScore]: [...RISK_SCORE, ...OUTPUT],
  [ATTR.riskIsSafe]: [...GUARDRAIL_TRIGGERED, ...GUARDRAIL_WORD, ...OUTPUT],
  [ATTR.riskExplanation]: GUARDRAIL_EXPLANATION,
  [ATTR.riskViolatedPolicyIds]: GUARDRAIL_POLICY,
}

const OF_EVERY_KIND: Sources = { [ATTR.errorType]: [ATTR.errorType], [ATTR.errorMessage]: ERROR_TEXT }

const SOURCES: Partial<Record<Kind, Sources>> = Object.fromEntries(
  Object.entries({
    plan: OF_PLANS,
    agent: OF_AGENTS,
    llm: OF_CALLS,
    tool: OF_TOOLS,
    guardrail: OF_GUARDRAILS,
  }).map(([kind, sources]) => [kind, { ...OF_EVERY_KIND, ...sources }]),
)

/** Returns the places of each attribute that adoption derives for a kind of span. */
export const sourcesOf = (kind: Kind): Sources => SOURCES[kind] ?? OF_EVERY_KIND
