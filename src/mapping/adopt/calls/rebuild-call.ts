import { ATTR, type State } from '../../../semconv/index.js'
import type { AskedCall } from './asked-calls.js'
import type { CallResult } from './call-results.js'
import { derivedNode } from '../derived-node.js'
import { objectIn } from '../values/json-data.js'
import { type AdoptNode, move, nearestBelow } from '../adopt-node.js'
import { ownAnswer } from '../values/request-and-answer.js'
import { isFailed } from '../outcome/span-failure.js'

/** A tool call that no span reports, between two model calls of an agent. */
interface UnsentCall {
  readonly call: AskedCall
  readonly result: CallResult | undefined
  /** Whether the instrumentation sends spans of tool calls. */
  readonly sendsTools: boolean
}

interface Surroundings {
  readonly cycle: AdoptNode
  readonly agent: AdoptNode
  /** The agent's next model call. */
  readonly next: AdoptNode | undefined
}

/**
 * Derives a tool call from the messages of models. A call without a result was not run if its agent stopped there, and
 * is the answer if the agent returned its arguments. Otherwise the result is missing.
 */
export function rebuildCall(around: Surroundings, { call, result, sendsTools }: UnsentCall): AdoptNode {
  const { model, name, id } = call
  const end = model.span.endTimeUnixNano
  const derived = derivedNode('tool', model.span, ` ${call.path}`)
  const tool = { ...derived, convention: model.convention, span: { ...derived.span, startTimeUnixNano: end } }
  const state = result ? undefined : stateWithoutResult(around, { call, result, sendsTools })
  tool.pending = state === 'running'
  tool.attributes = {
    [ATTR.timeSynthetic]: 'true',
    ...(name !== undefined && { [ATTR.toolName]: name }),
    ...(id !== undefined && { [ATTR.toolCallId]: id }),
    ...(state !== undefined && { [ATTR.state]: state }),
  }
  if (result?.isError === true) {
    tool.span = { ...tool.span, statusCode: 'ERROR' }
    tool.attributes[ATTR.errorMessage] = result.text
  }
  if (!result && state === undefined) tool.attributes[ATTR.adoptedGap] = gapOf(call)
  move(tool, around.cycle)
  return tool
}

const gapOf = ({ name = '', id, model, path }: AskedCall): string =>
  `the result of the call "${name}"${id === undefined ? '' : ` (${id})`}, which ${path} of "${model.span.name}" requests`

/** Returns the state that the trace proves for a call without a result. Undefined if it may have run. */
function stateWithoutResult({ agent, next }: Surroundings, { call, sendsTools }: UnsentCall): State | undefined {
  if (next) return undefined
  if (agent.pending) return 'running'
  const above = [agent, ...plansAbove(agent)]
  if (above.some(isWaiting)) return 'waiting'
  if (above.some((node) => isFailed(node) || node.attributes[ATTR.state] === 'cancelled')) return 'cancelled'
  if (above.some((node) => returns(node, call))) return 'completed'
  return sendsTools ? 'cancelled' : undefined
}

function* plansAbove(agent: AdoptNode): Generator<AdoptNode> {
  for (let at = agent.parent; at; at = at.parent) if (at.kind === 'plan') yield at
}

const isWaiting = (node: AdoptNode): boolean =>
  node.attributes[ATTR.state] === 'waiting' ||
  nearestBelow(node).some(
    ({ kind, attributes, span }) =>
      kind === 'wait' && { ...span.attributes, ...attributes }[ATTR.waitWaiting] === 'true',
  )

/** Whether the answer of an agent or a plan is the arguments of a call, or one of them. */
function returns(node: AdoptNode, { arguments: args }: AskedCall): boolean {
  const answer = ownAnswer(node)?.text
  if (!answer || args === undefined) return false
  return Object.values(objectIn(args) ?? {}).includes(answer) || bare(answer).includes(bare(args))
}

/** A text without the characters in which JSON and a representation in another language differ. */
const bare = (text: string): string => text.replaceAll(/[\s"'\\{}()]/g, '').replaceAll('=', ':')
