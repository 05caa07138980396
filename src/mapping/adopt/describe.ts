import {
  agentFields,
  ATTR,
  encodeFields,
  type FieldValues,
  guardrailFields,
  llmFields,
  planFields,
  type Role,
  toolFields,
  waitFields,
} from '../../semconv/index.js'
import type { AskedCall, CallsOf } from './asked-calls.js'
import { failureOf, isFailed } from './span-failure.js'
import { objectIn } from './json-data.js'
import { isResumed } from './mastra.js'
import { modelMessages } from './model-messages.js'
import { agentNameOf, planTitleOf, factOfNode } from './node-facts.js'
import { type AdoptNode, nearestBelow } from './adopt-node.js'
import { factOf } from './fact-place.js'
import { findingOf } from './guardrail-finding.js'
import {
  GUARDRAIL_NAME,
  INPUT,
  MODEL,
  OUTPUT,
  PROVIDER,
  RESPONSE_MODEL,
  TOOL_ARGUMENTS,
  TOOL_CALL_ID,
  TOOL_DESCRIPTION,
  TOOL_NAME,
  TOOL_RESULT,
} from './fact-places.js'
import { lastText, saidIn } from './spoken-text.js'
import { agentTokensOf, callTokensOf, hasTokens, sumTokens, type Tokens } from './span-tokens.js'
import { toolArguments, toolResult } from './tool-values.js'

type Attributes = Record<string, string>

/** Returns the attributes of planspan's conventions that a foreign span's values map to. */
export function describe(node: AdoptNode, callsOf: CallsOf): Attributes {
  const make = MAKERS[node.kind as Role]
  return { ...make(node, callsOf), ...failureOf(node) }
}

const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = llmFields
const TOKEN_FIELDS = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens }

const MAKERS: { readonly [Kind in Role]: (node: AdoptNode, callsOf: CallsOf) => Attributes } = {
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
  tool: (node, callsOf) => toolAttributes(node, callsOf),
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
  const all = [node, ...node.twins].map(({ span }) => modelMessages(span))
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

function toolAttributes(node: AdoptNode, callsOf: CallsOf): Attributes {
  const name = factOfNode(node, TOOL_NAME)
  const ownId = factOfNode(node, TOOL_CALL_ID)
  const asked = askedFor(node, { id: ownId, name }, callsOf)
  const args = toolArguments(factOfNode(node, TOOL_ARGUMENTS) ?? eventText(node, 'gen_ai.tool.message'))
  const result = toolResult(factOfNode(node, TOOL_RESULT) ?? eventText(node, 'gen_ai.choice'))
  // LangSmith writes an empty object for a call that failed without an answer.
  const isEmpty = result === '{}' && isFailed(node)
  return texts(toolFields, {
    name,
    callId: ownId ?? asked?.id,
    // A span may record a single argument as plain text. The model's answer contains all of them.
    arguments: objectIn(args) ? args : (asked?.arguments ?? args),
    result: isEmpty ? undefined : result,
    description: factOf(node.span, TOOL_DESCRIPTION),
  })
}

/**
 * Returns the call that the model requested: the one with the tool call's id, otherwise the cycle's next call of that
 * name.
 */
function askedFor(
  tool: AdoptNode,
  { id, name }: Pick<AskedCall, 'id' | 'name'>,
  callsOf: CallsOf,
): AskedCall | undefined {
  const cycle = tool.parent
  if (cycle?.kind !== 'think_act') return undefined
  const below = nearestBelow(cycle)
  const calls = below.filter(({ kind }) => kind === 'llm').flatMap(callsOf)
  if (id !== undefined && calls.some((call) => call.id !== undefined)) return calls.find((call) => call.id === id)
  const alike = below.filter((one) => one.kind === 'tool' && factOfNode(one, TOOL_NAME) === name)
  return calls.filter((call) => call.name === name)[alike.indexOf(tool)]
}

/** Returns the id of a tool call: its own, otherwise that of the call that the model requested. */
export function callIdOf(tool: AdoptNode, callsOf: CallsOf): string | undefined {
  const ownId = factOfNode(tool, TOOL_CALL_ID)
  return ownId ?? askedFor(tool, { id: ownId, name: factOfNode(tool, TOOL_NAME) }, callsOf)?.id
}

const eventText = ({ span }: AdoptNode, name: string): string | undefined => {
  const event = span.events.find((one) => one.name === name)
  return event?.attributes['content'] ?? event?.attributes['message']
}
