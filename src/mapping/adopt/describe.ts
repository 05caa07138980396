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
import { TOOL_TABLE, toolValues } from './describe-tool.js'
import { failureOf } from './span-failure.js'
import { isResumed } from './mastra.js'
import { modelMessages } from './model-messages.js'
import { agentNameOf, planTitleOf, factOfNode } from './node-facts.js'
import { type AdoptNode, nearestBelow } from './adopt-node.js'
import { factOf } from './fact-place.js'
import { findingOf } from './guardrail-finding.js'
import { GUARDRAIL_NAME, INPUT, MODEL, OUTPUT, PROVIDER, RESPONSE_MODEL, TOOL_NAME } from './fact-places.js'
import { lastText, saidIn } from './spoken-text.js'
import { agentTokensOf, callTokensOf, hasTokens, sumTokens, type Tokens } from './span-tokens.js'
import type { ToolCalls } from './tool-calls.js'

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
    texts(planFields, { title: node.rows.length > 0 ? planTitleOf(node) : undefined, ...planTexts(node) }),
  planning: () => ({}),
  agent: (node) => {
    const name = agentNameOf(node)
    return texts(
      { ...agentFields, ...TOKEN_FIELDS },
      {
        name,
        request: requestOf(node),
        result: resultOf(node) ?? lastAnswer(node),
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
      ...callTokens(node),
    }),
    ...messages(node),
  }),
  guardrail: ({ span }) => texts(guardrailFields, { name: factOf(span, GUARDRAIL_NAME), ...findingOf(span) }),
  tool: (node, calls) => texts(TOOL_TABLE, toolValues(node, calls)),
  wait: (node) => texts(waitFields, { title: node.attributes[ATTR.waitTitle] ?? factOf(node.span, TOOL_NAME) }),
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

const requestOf = (node: AdoptNode): string | undefined => saidIn(factOfNode(node, INPUT), 'user')
const resultOf = (node: AdoptNode): string | undefined => saidIn(factOfNode(node, OUTPUT), 'assistant')

/**
 * The request of a plan is its own, otherwise that of its first agent, otherwise the first message to a model. The
 * result is found the same way, from the end.
 */
function planTexts(plan: AdoptNode): FieldValues<typeof planFields> {
  const agents = nearestBelow(plan, ['planning']).filter(({ kind }) => kind === 'agent')
  const [first] = agents
  const last = agents.at(-1)
  return {
    // The input of a resumed run is the answer that it waited for, not the request.
    request: isResumed(plan) ? undefined : (requestOf(plan) ?? (first && (requestOf(first) ?? firstAsked(first)))),
    summary: resultOf(plan) ?? (last && (resultOf(last) ?? lastAnswer(last))),
  }
}

function firstAsked(agent: AdoptNode): string | undefined {
  const model = nearestBelow(agent, ['think_act']).find(({ kind }) => kind === 'llm')
  return model && lastText(modelMessages(model.span).input ?? [], 'user')
}

/** Returns the answer of an agent's last model call. */
function lastAnswer(agent: AdoptNode): string | undefined {
  const model = nearestBelow(agent, ['think_act']).findLast(({ kind }) => kind === 'llm')
  return model && (lastText(modelMessages(model.span).output ?? [], 'assistant') || undefined)
}

/** Returns the tokens of a call: its own, otherwise the sum of the calls that it wraps. */
export function callTokens(node: AdoptNode): Tokens {
  const own = callTokensOf(node.span)
  return hasTokens(own)
    ? own
    : sumTokens(node.twins.filter(({ span }) => span !== node.span).map(({ span }) => callTokensOf(span)))
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
  return {
    ...(input && { [ATTR.inputMessages]: JSON.stringify(input) }),
    ...(output && { [ATTR.outputMessages]: JSON.stringify(output) }),
    ...(system && { [ATTR.systemInstructions]: JSON.stringify(system) }),
  }
}
