import {
  ATTR,
  decodeFields,
  type FieldValues,
  guardrailFields,
  LINK_TYPES,
  parseJson,
  spanName,
  type State,
  isUnsafe,
} from '../../semconv/index.js'
import { type Action, actionOf } from './action.js'
import { isActionTaken } from './action-taken.js'
import { hashId, ancestors, isForeignRecord, nearest, seqOf, walk, type SpanNode } from '../tree/index.js'

/**
 * Adds the actions that guardrails stopped to their cycles, as cancelled tool calls: the calls that the guardrails
 * name, completed from the model's answer, otherwise the calls of that answer that were not made. Live plans and their
 * imported records leave such calls out. Other imported records have spans for them.
 */
export function showStoppedActions(root: SpanNode): void {
  if ([root, ...ancestors(root)].some(({ span }) => isForeignRecord(span))) return
  for (const node of walk(root)) if (node.role === 'think_act') addStopped(node)
}

function addStopped(cycle: SpanNode): void {
  const stopped = nearest(cycle, 'guardrail').filter((guardrail) => isActionTaken(guardrail) === false)
  if (stopped.length === 0) return
  const proposed = proposals(cycle)
  const listed = listedCalls(cycle)
  for (const guardrail of stopped) {
    const calls =
      recordedCalls(guardrail, proposed) ??
      (isUnsafe(guardrail.span.attributes) ? unmadeCalls(proposed.all, listed) : [])
    for (const call of calls) {
      // A stopped call that two guardrails judged is added once.
      if (call.callId !== undefined && listed.ids.has(call.callId)) continue
      if (call.callId !== undefined) listed.ids.add(call.callId)
      listed.count++
      cycle.children.push(notTaken(cycle, guardrail, call, ++listed.lastSeq))
    }
  }
}

/** The tool calls that are in a cycle so far. */
interface ListedCalls {
  readonly ids: Set<string>
  count: number
  lastSeq: number
}

function listedCalls(cycle: SpanNode): ListedCalls {
  const tools = nearest(cycle, 'tool')
  return {
    ids: new Set(tools.flatMap(({ span }) => span.attributes[ATTR.toolCallId] ?? [])),
    count: tools.length,
    lastSeq: tools.reduce((last, tool) => Math.max(last, seqOf(tool) ?? -1), -1),
  }
}

/**
 * Returns the calls that a guardrail recorded as stopped, or the call that it judged, completed from the model's
 * answer.
 */
function recordedCalls(guardrail: SpanNode, { byId }: Proposals): Action[] | undefined {
  const { stoppedCalls } = decodeFields(guardrailFields, guardrail.span.attributes)
  const stopped = stoppedCalls === undefined ? undefined : parseJson(stoppedCalls)
  if (Array.isArray(stopped)) return stopped.filter(isObject).map(proposalOf)
  const judged = actionOf(guardrail)
  if (judged.name === undefined && judged.callId === undefined) return undefined
  return [{ ...(judged.callId === undefined ? undefined : byId.get(judged.callId)), ...judged }]
}

/**
 * Returns the calls of the model's last answer that the cycle did not make. Of calls without ids, those that exceed the
 * number of calls made.
 */
function unmadeCalls(all: readonly Action[], { count }: ListedCalls): Action[] {
  const unnamed = all.filter(({ callId }) => callId === undefined)
  const made = count - (all.length - unnamed.length)
  return [...all.filter(({ callId }) => callId !== undefined), ...unnamed.slice(Math.max(made, 0))]
}

interface Proposals {
  readonly all: readonly Action[]
  /** The first proposal with each id. */
  readonly byId: ReadonlyMap<string, Action>
}

/** The calls that the model's last answer proposes. */
function proposals(cycle: SpanNode): Proposals {
  const answer = nearest(cycle, 'llm').at(-1)?.span.attributes[ATTR.outputMessages]
  const all = answer === undefined ? [] : proposalsOf(parseJson(answer))
  const byId = new Map<string, Action>()
  for (const call of all) if (call.callId !== undefined && !byId.has(call.callId)) byId.set(call.callId, call)
  return { all, byId }
}

/** The `tool_call` parts of chat messages. */
function proposalsOf(messages: unknown): Action[] {
  if (!Array.isArray(messages)) return []
  return messages
    .flatMap((message: unknown) => (isObject(message) && Array.isArray(message['parts']) ? message['parts'] : []))
    .filter((part): part is Record<string, unknown> => isObject(part) && part['type'] === 'tool_call')
    .map(proposalOf)
}

const proposalOf = ({ name, id, arguments: data }: Record<string, unknown>): Action => ({
  name: text(name),
  callId: text(id),
  arguments: text(data) ?? (data === undefined ? undefined : JSON.stringify(data)),
})

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const STOPPED: State = 'cancelled'

/** A span for a call that was not made, at the end of the guardrail that stopped it. */
function notTaken(cycle: SpanNode, guardrail: SpanNode, call: Action, seq: number): SpanNode {
  const { startTimeUnixNano: _, endTimeUnixNano: time, attributes: of, ...span } = guardrail.span
  const values = {
    [ATTR.spanKind]: 'tool',
    [ATTR.planId]: of[ATTR.planId],
    [ATTR.planRootId]: of[ATTR.planRootId],
    [ATTR.seq]: String(seq),
    [ATTR.state]: STOPPED,
    [ATTR.riskActionTaken]: 'false',
    [ATTR.toolName]: call.name,
    [ATTR.toolCallId]: call.callId,
    [ATTR.toolCallArguments]: call.arguments,
    [ATTR.errorMessage]: stoppedReason(decodeFields(guardrailFields, of)),
  }
  const attributes = Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return {
    ...guardrail,
    span: {
      ...span,
      spanId: hashId(`${span.spanId}/${seq}`, 16),
      name: spanName('tool', call.name),
      startTimeUnixNano: time,
      endTimeUnixNano: time,
      statusCode: 'UNSET',
      statusMessage: '',
      attributes,
      events: [],
      links: [{ traceId: span.traceId, spanId: span.spanId, attributes: { [ATTR.linkType]: LINK_TYPES.guards } }],
    },
    role: 'tool',
    children: [],
    parent: cycle,
    gaps: [],
  }
}

/** Describes why an action was not taken. */
function stoppedReason({
  name = 'a guardrail',
  score,
  explanation,
}: Pick<FieldValues<typeof guardrailFields>, 'name' | 'score' | 'explanation'>): string {
  const risk = score === undefined ? '' : ` (risk ${score})`
  return `Not executed: stopped by ${name}${risk}${explanation === undefined ? '' : `: ${explanation}`}`
}
