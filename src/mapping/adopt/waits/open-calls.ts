import { ATTR, isData, isList, type Message } from '../../../semconv/index.js'
import { asksPerson, isRefusalUntilAllowed } from './asked-of-person.js'
import { type AskedCall, type CallsOf, requestsCalls } from '../calls/asked-calls.js'
import { type AdoptNode, byStart, nearestBelow } from '../adopt-node.js'
import { INPUT, OUTPUT, TOOL_CALL_ID, TOOL_NAME, TOOL_RESULT } from '../values/fact-places.js'
import { dataIn } from '../values/json-data.js'
import { kindRuleOf } from '../kind-of.js'
import { ANSWER_TOOL, HANDOFF_NAME } from '../kind-rules.js'
import { read } from '../values/model-messages.js'
import { factOfNode } from '../values/node-facts.js'
import { isFailed } from '../outcome/span-failure.js'

/** Returns the work of a run: its model calls, tool calls and agents, in order. */
export const workOf = (run: AdoptNode): AdoptNode[] => nearestBelow(run, ['think_act', 'planning']).sort(byStart)

/** Returns the calls of the last model answer of a run that have no result. */
export function openCalls(run: AdoptNode, callsOf: CallsOf): readonly AskedCall[] {
  const work = workOf(run)
  const last = work.findLast(({ kind }) => kind === 'llm')
  const calls = last && !isFailed(last) && !last.pending ? callsOf(last) : []
  // Some instrumentations write a model call over the span of its agent, which contains the tools, too.
  const tools = work
    .flatMap((one) => (one.kind === 'llm' ? nearestBelow(one) : one))
    .filter(({ kind }) => kind === 'tool')
  return calls.filter(
    (call) =>
      !ANSWER_TOOL.test(call.name ?? '') &&
      !HANDOFF_NAME.test(call.name ?? '') &&
      !tools.some((tool) => isDone(tool) && isCallOf(tool, call)),
  )
}

/** Whether a tool call has a result or failed. Older conventions write the result as an event. */
export function isDone(tool: AdoptNode): boolean {
  const result = factOfNode(tool, TOOL_RESULT) ?? 'null'
  const hasResult = result !== 'null' && !isRefusalUntilAllowed(result)
  return isFailed(tool) || hasResult || tool.span.events.some(({ name }) => name === 'gen_ai.choice')
}

/** Whether a tool's span is that of a call: by its id, otherwise by its name. */
export function isCallOf(tool: AdoptNode, { id, name }: Pick<AskedCall, 'id' | 'name'>): boolean {
  const own = tool.attributes[ATTR.toolCallId] ?? factOfNode(tool, TOOL_CALL_ID)
  return own !== undefined && id !== undefined ? own === id : factOfNode(tool, TOOL_NAME) === name
}

/**
 * Whether an agent ended although its model's last answer requests calls that nobody ran: then somebody outside of the
 * run must approve or answer them. An agent with an answer of its own, or one that is only a chain, does not wait.
 */
export function endsWithCalls(agent: AdoptNode, calls: readonly AskedCall[]): boolean {
  if (calls.length === 0 || agent.pending || isFailed(agent) || kindRuleOf(agent.span)?.kind !== 'agent') return false
  const work = workOf(agent)
  if (work.findLast(({ kind }) => kind !== 'tool' && kind !== 'guardrail')?.kind !== 'llm') return false
  const answer = factOfNode(agent, OUTPUT)
  if (answer !== undefined && !asksPerson(answer) && !isOfCalls(answer, calls)) return false
  const answered = new Set(
    [INPUT, OUTPUT].flatMap((places) => resultIds(read(factOfNode(agent, places), 'user') ?? [])),
  )
  return calls.some(({ id }) => id === undefined || !answered.has(id))
}

/** Whether an agent has a request, but no answer, and its last model call requests tool calls by its finish reason. */
export function endsForCalls(agent: AdoptNode): boolean {
  if (agent.pending || isFailed(agent) || kindRuleOf(agent.span)?.kind !== 'agent') return false
  const last = workOf(agent).findLast(({ kind }) => kind === 'llm')
  if (!last || !requestsCalls(last)) return false
  return factOfNode(agent, INPUT) !== undefined && factOfNode(agent, OUTPUT) === undefined
}

/** Whether these calls were not sent, neither by messages nor by spans. */
export const endsForUnknownCalls = (agent: AdoptNode, callsOf: CallsOf): boolean =>
  endsForCalls(agent) &&
  workOf(agent)
    .slice(-1)
    .some((last) => last.kind === 'llm' && callsOf(last).length === 0)

/** Whether an output is data about the calls. */
const isOfCalls = (output: string, calls: readonly AskedCall[]): boolean =>
  dataIn(output) !== undefined && calls.some(({ id, name }) => output.includes(id ?? name ?? ''))

/** Returns the ids of the calls whose results are in messages. */
const resultIds = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ parts }) =>
    isList(parts)
      ? parts.flatMap((part) =>
          isData(part) && part.type === 'tool_call_response' && typeof part['id'] === 'string' ? [part['id']] : [],
        )
      : [],
  )
