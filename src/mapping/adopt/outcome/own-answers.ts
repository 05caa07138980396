import { ATTR, type StoredSpan } from '../../../semconv/index.js'
import { type AdoptNode, nearestBelow } from '../adopt-node.js'
import { ANSWER_TOOL } from '../kind-rules.js'
import { LIMITS, OUTPUT, TOOL_NAME, TOOL_RESULT } from '../values/fact-places.js'
import { isEmpty } from '../values/json-data.js'
import { factOfNode } from '../values/node-facts.js'
import { recordedAnswer } from '../values/request-and-answer.js'
import { toolResult } from '../values/tool-values.js'
import { endsForCalls, workOf } from '../waits/open-calls.js'

/** Whether a plan or an agent has an answer of its own, or a call a response. */
export function hasAnswer(node: AdoptNode): boolean {
  if (node.kind === 'plan' || node.kind === 'agent') return recordedAnswer(node) !== undefined
  return isCall(node) && responds(node)
}

const isCall = ({ kind }: AdoptNode): boolean => kind === 'llm' || kind === 'tool'

/** Whether a span contains any part of a response. */
export const responds = ({ span, twins }: AdoptNode): boolean =>
  [span, ...twins.map((twin) => twin.span)].some(
    ({ attributes, events }) =>
      holdsResponse(attributes) ||
      events.some((event) => RESPONSE_EVENT.test(event.name) || holdsResponse(event.attributes)),
  )

function holdsResponse(attributes: Readonly<Record<string, string>>): boolean {
  for (const key in attributes) {
    if (RESPONSE.test(key) && !REQUEST.test(key) && !isEmpty(attributes[key] ?? '')) return true
  }
  return false
}

/** Words in the names of attributes with a part of a response, in all conventions. */
const RESPONSE =
  /(?:^|[._])(?:response|outputs?|completion|usage|token_count|\w+_tokens|finish_?reasons?|stop_reason|choices?|result|answer)(?:[._]|$)/i
/** Attributes with such a word that are known before the response. */
const REQUEST = /(?:^|[._])(?:request|max_\w+)(?:[._]|$)|^gen_ai\.(?:output\.type|response\.model)$/i
const RESPONSE_EVENT = /choice|completion|response|output|stream|chunk|token/i

/**
 * Whether a call ended without any part of a response, although its request was recorded: it was abandoned. Python's
 * instrumentations do not report a cancellation. Likewise an agent of theirs that ended without doing anything. A log
 * record is written when a call has its response.
 */
export const hasNoResponse = (node: AdoptNode): boolean =>
  (isCall(node)
    ? isRecorded(node) && !isLogged(node)
    : (isIdle(node) && isByLibrary(node.span)) || endsWithSilentCall(node)) && !responds(node)

/** Whether an agent called its model after the last tool call, and the span of this call reports nothing. */
function endsWithSilentCall(node: AdoptNode): boolean {
  if (node.kind !== 'agent') return false
  const work = workOf(node)
  const last = work.at(-1)
  const model = work.findLast(({ kind }) => kind === 'llm')
  if (last?.kind !== 'tool' || !model) return false
  const isSilent = ({ span }: AdoptNode): boolean =>
    span.name === model.span.name &&
    Object.keys(span.attributes).length === 0 &&
    span.startTimeUnixNano >= last.span.endTimeUnixNano
  return [...node.children].some(isSilent)
}

const isLogged = ({ span }: AdoptNode): boolean => ATTR.adoptedLogged in span.attributes

/** Whether an agent contains no span at all. */
export const isIdle = ({ kind, rows, children }: AdoptNode): boolean =>
  kind === 'agent' && rows.length > 0 && children.size === 0

/** Whether an instrumentation that records content or details recorded the request of a call. */
const isRecorded = ({ kind, span }: AdoptNode): boolean =>
  Object.keys(span.attributes).some((key) => DETAIL.test(key)) || (kind === 'llm' && isByLibrary(span))

const DETAIL =
  /(?:^|[._])(?:inputs?|prompts?|messages|arguments|args|definitions|\w*parameters|settings|\w+_settings|server)(?:[._]|$)/i

const isByLibrary = ({ scopeName }: StoredSpan): boolean => /instrument/i.test(scopeName)

/** Answers that frameworks give in place of a model when an agent has used up its calls or steps. */
const LIMIT_ANSWER =
  /^(?:Agent stopped due to (?:max iterations|iteration limit or time limit)|Sorry, need more steps to process this request|(?:Model|Tool) call limits? (?:exceeded|reached))/i

/** Whether an agent used up its steps: by its answer, or because it had no cycle left in which to answer. */
export function reachedLimit(node: AdoptNode): boolean {
  if (node.kind !== 'agent') return false
  const limit = Number(factOfNode(node, LIMITS))
  if (limit > 0 && (isUsedUp(node, limit) || endsForCalls(node))) return true
  return SAYS_LIMIT.test(factOfNode(node, OUTPUT) ?? '') && LIMIT_ANSWER.test(recordedAnswer(node) ?? '')
}

const SAYS_LIMIT = new RegExp(LIMIT_ANSWER.source.slice(1), 'i')

/** After its last step, the agent called the model once more, or the step ended with a call that gave no answer. */
function isUsedUp(agent: AdoptNode, limit: number): boolean {
  const cycles = nearestBelow(agent).filter(({ kind }) => kind === 'think_act')
  const last = cycles.filter(({ rows }) => rows.length > 0).at(limit - 1)
  if (!last) return false
  const end = last.span.endTimeUnixNano
  if (cycles.some(({ span, rows }) => rows.length === 0 && span.startTimeUnixNano >= end)) return true
  const tools = nearestBelow(last).filter(({ kind }) => kind === 'tool')
  return tools.length > 0 && !tools.some((tool) => isFinal(tool, recordedAnswer(agent)))
}

/** Whether a tool call gives the agent's answer, as in frameworks whose agents answer through a tool. */
const isFinal = (tool: AdoptNode, answer: string | undefined): boolean =>
  ANSWER_TOOL.test(factOfNode(tool, TOOL_NAME) ?? '') || toolResult(factOfNode(tool, TOOL_RESULT)) === answer
