import {
  agentFields,
  ATTR,
  encodeFields,
  type FieldValues,
  guardrailFields,
  llmFields,
  planFields,
  type Role,
  waitFields,
} from '../../semconv/index.js'
import { callUsage } from './values/call-usage.js'
import { TOOL_TABLE, toolValues } from './calls/describe-tool.js'
import { failureOf } from './outcome/span-failure.js'
import { sortedJson, sortedText } from './values/sorted-json.js'
import { modelMessages } from './values/model-messages.js'
import { agentNameOf, planTitleOf, factOfNode } from './values/node-facts.js'
import type { AdoptNode } from './adopt-node.js'
import { factOf } from './values/fact-place.js'
import { findingOf } from './guardrail-finding.js'
import { MODEL, PROVIDER, RESPONSE_MODEL, TOOL_NAME } from './values/fact-places.js'
import { GUARDRAIL_NAME } from './values/guardrail-places.js'
import { ownAnswer, agentRequest, planAnswer, planRequest } from './values/request-and-answer.js'
import { agentTokensOf } from './values/span-tokens.js'
import type { ToolCalls } from './calls/tool-calls.js'

type Attributes = Record<string, string>

/** Returns the attributes of planspan's conventions that a foreign span's values map to. */
export function describe(node: AdoptNode, calls: ToolCalls): Attributes {
  const make = MAKERS[node.kind as Role]
  return { ...make(node, calls), ...failureOf(node) }
}

const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = llmFields
const TOKEN_FIELDS = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens }

const MAKERS: { readonly [Kind in Role]: (node: AdoptNode, calls: ToolCalls) => Attributes } = {
  plan: (node) =>
    texts(planFields, {
      title: node.rows.length > 0 ? planTitleOf(node) : undefined,
      request: planRequest(node)?.text,
      summary: planAnswer(node)?.text,
    }),
  planning: () => ({}),
  agent: (node) => {
    const name = agentNameOf(node)
    return texts(
      { ...agentFields, ...TOKEN_FIELDS },
      {
        name,
        request: agentRequest(node)?.text,
        result: ownAnswer(node)?.text,
        stepId: `${node.span.traceId}-${node.span.spanId}`,
        description: factOf(node.span, ['gen_ai.agent.description']),
        ...agentTokensOf(node.span),
      },
    )
  },
  think_act: () => ({}),
  llm: (node) => ({
    ...texts(llmFields, {
      model: factOfNode(node, MODEL),
      responseModel: factOfNode(node, RESPONSE_MODEL),
      provider: factOfNode(node, PROVIDER),
      ...callUsage(node),
    }),
    ...messages(node),
  }),
  guardrail: ({ span }) => texts(guardrailFields, { name: factOf(span, GUARDRAIL_NAME), ...findingOf(span) }),
  tool: (node, calls) => texts(TOOL_TABLE, toolValues(node, calls)),
  wait: ({ span, rows }) => (rows.length === 0 ? {} : texts(waitFields, { title: factOf(span, TOOL_NAME) })),
}

/** Encodes values as text attributes. */
function texts<Table extends Parameters<typeof encodeFields>[0]>(table: Table, values: FieldValues<Table>): Attributes {
  return Object.fromEntries(
    Object.entries(encodeFields(table, values)).map(([key, value]) => [
      key,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
}

function messages(node: AdoptNode): Attributes {
  // Mastra writes the input of a call on its cycle.
  const cycle =
    node.parent?.kind === 'think_act' && node.parent.rows.length > 0 ? [node.parent, ...node.parent.twins] : []
  const all = [node, ...node.twins, ...cycle].map(({ span }) => modelMessages(span))
  const first = <T>(pick: (one: (typeof all)[number]) => T | undefined): T | undefined =>
    all.map(pick).find((one) => one !== undefined)
  const input = first(({ input }) => input)
  const output = first(({ output }) => output)
  const system = first(({ system }) => system)
  const tools = node.span.attributes[ATTR.toolDefinitions]
  return {
    ...(input && { [ATTR.inputMessages]: sortedJson(input) }),
    ...(output && { [ATTR.outputMessages]: sortedJson(output) }),
    ...(system && { [ATTR.systemInstructions]: sortedJson(system) }),
    ...(tools !== undefined && { [ATTR.toolDefinitions]: sortedText(tools) }),
  }
}
