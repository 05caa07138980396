import { append, appendTo } from '../../../base/append.js'
import { ATTR, isData, isList, parseJson, type StoredSpan } from '../../../semconv/index.js'
import { hashId, isLogEvent } from '../../tree/index.js'
import {
  type CodingAgent,
  CODING_AGENTS,
  LOGGED_USAGE,
  LOGGED_VALUES,
  type LoggedEvent,
  type LoggedValue,
} from './coding-agents.js'

/** Whether a row carries a log record of a coding agent. It belongs to no span: the trace consists of log records. */
export const isAgentLog = (row: StoredSpan): boolean => row.parentSpanId === '' && isLogEvent(row)

/** A log record with its event. */
interface Logged {
  readonly row: StoredSpan
  readonly attributes: Attributes
  readonly agent: CodingAgent
  readonly event: LoggedEvent
}

type Attributes = Readonly<Record<string, string>>

/** Replaces the log records of coding agents by the spans that they stand for: one agent per prompt, with its calls. */
export function withLogSpans(rows: readonly StoredSpan[]): readonly StoredSpan[] {
  if (!rows.some(isAgentLog)) return rows
  const traces = new Map<string, Logged[]>()
  const known = new Set<string>()
  for (const row of rows.filter(isAgentLog)) {
    const logged = known.has(row.spanId) ? undefined : loggedOf(row)
    known.add(row.spanId)
    if (logged) appendTo(traces, row.traceId, logged)
  }
  return [...rows.filter((row) => !isAgentLog(row)), ...[...traces.values()].flatMap(spansOf)]
}

const EVENTS_BY_NAME = new Map<string, (readonly [CodingAgent, LoggedEvent])[]>()
for (const agent of CODING_AGENTS)
  for (const event of agent.events) appendTo(EVENTS_BY_NAME, event.name, [agent, event] as const)

function loggedOf(row: StoredSpan): Logged | undefined {
  const attributes = row.events[0]?.attributes ?? {}
  const found = EVENTS_BY_NAME.get(row.name)?.find(([, event]) => event.with === undefined || event.with in attributes)
  return found && { row, attributes, agent: found[0], event: found[1] }
}

function spansOf(unordered: readonly Logged[]): StoredSpan[] {
  const logs = unordered.toSorted(byTime)
  const prompts = logs.filter(({ event }) => event.kind === 'prompt').map((log) => ({ log, span: agentSpan(log) }))
  const tools = new Set(logs.flatMap((log) => (log.event.kind === 'tool' ? [valueOf(log, 'id')] : [])))
  const calls: StoredSpan[] = []
  for (const log of logs) {
    const parent = prompts.findLast(({ log: prompt }) => byTime(prompt, log) <= 0) ?? prompts[0]
    if (parent && log.row.endTimeUnixNano > parent.span.endTimeUnixNano)
      parent.span = { ...parent.span, endTimeUnixNano: log.row.endTimeUnixNano }
    const { kind } = log.event
    if (kind === 'answer') addAnswer(calls, log)
    else if (kind === 'llm') calls.push(modelSpan(log, parent?.span))
    else if (kind === 'tool') calls.push(toolSpan(log, parent?.span))
    else if (kind === 'decision') append(calls, decisionSpans(log, parent?.span, tools))
  }
  return [...prompts.map(({ span }) => span), ...calls]
}

/** Claude Code numbers the events of a session. */
function byTime(a: Logged, b: Logged): number {
  const [from, to] = [a.row.startTimeUnixNano, b.row.startTimeUnixNano]
  const sequence = ({ attributes }: Logged) => Number(attributes['event.sequence'] ?? 0)
  return from === to ? sequence(a) - sequence(b) || (a.row.spanId < b.row.spanId ? -1 : 1) : from < to ? -1 : 1
}

function agentSpan(log: Logged): StoredSpan {
  const { agent } = log
  const text = textOf(log)
  return spanOf(log, undefined, {
    kind: 'agent',
    name: `invoke_agent ${agent.name}`,
    attributes: {
      'gen_ai.agent.name': agent.name,
      [ATTR.adoptedGap]: `${agent.lacks}, which the logs of ${agent.name} do not contain`,
      ...(text !== undefined && { [ATTR.inputMessages]: message('user', text) }),
    },
  })
}

function modelSpan(log: Logged, parent: StoredSpan | undefined): StoredSpan {
  const { agent, attributes } = log
  const usage = Object.entries(LOGGED_USAGE).flatMap(([key, name]) =>
    attributes[key] === undefined ? [] : [[name, attributes[key]] as const],
  )
  return spanOf(log, parent, {
    kind: 'llm',
    name: `chat ${attributes['model'] ?? ''}`.trim(),
    attributes: {
      ...attributes,
      ...Object.fromEntries(usage),
      ...(agent.provider !== undefined && { [ATTR.providerName]: agent.provider }),
      ...answer(textOf(log)),
    },
  })
}

/** The text of an answer, or Gemini's response as JSON. */
function answer(text: string | undefined): Attributes {
  if (text === undefined) return {}
  const chunks = text.startsWith('[') ? parseJson(text) : undefined
  if (!isList(chunks)) return { [ATTR.outputMessages]: message('assistant', text) }
  const parts = chunks.flatMap((chunk) => {
    const [first] = isData(chunk) && isList(chunk['candidates']) ? chunk['candidates'] : []
    const content = isData(first) ? first['content'] : undefined
    return isData(content) && isList(content['parts']) ? content['parts'] : []
  })
  return { 'gcp.vertex.agent.llm_response': JSON.stringify({ content: { role: 'model', parts } }) }
}

/** Adds the text to the last model call with the same source. */
function addAnswer(calls: StoredSpan[], log: Logged): void {
  const source = log.attributes['query_source']
  const at = calls.findLastIndex(
    ({ attributes }) => attributes[ATTR.adoptedLogged] === 'llm' && attributes['query_source'] === source,
  )
  const call = calls[at]
  if (call) calls[at] = { ...call, attributes: { ...call.attributes, ...answer(textOf(log)) } }
}

function toolSpan(log: Logged, parent: StoredSpan | undefined): StoredSpan {
  const value = (name: LoggedValue, key: string): Attributes => {
    const text = valueOf(log, name)
    return text === undefined ? {} : { [key]: text }
  }
  const name = valueOf(log, 'name') ?? 'tool'
  return spanOf(log, parent, {
    kind: 'tool',
    name: `execute_tool ${name}`,
    attributes: {
      [ATTR.toolName]: name,
      ...value('id', ATTR.toolCallId),
      ...value('arguments', ATTR.toolCallArguments),
      ...value('result', ATTR.toolCallResult),
      ...(REFUSED.test(valueOf(log, 'decision') ?? '') && { [ATTR.state]: 'cancelled' }),
    },
  })
}

const REFUSED = /^(?:reject|den|abort|cancel)/i

/** A person's decision is a wait. A refused call has no event of its own. */
function decisionSpans(
  log: Logged,
  parent: StoredSpan | undefined,
  tools: ReadonlySet<string | undefined>,
): StoredSpan[] {
  const isRefused = REFUSED.test(valueOf(log, 'decision') ?? '')
  const id = valueOf(log, 'id')
  const title = valueOf(log, 'name') ?? ''
  const wait = spanOf(log, parent, {
    kind: 'wait',
    name: 'wait_for_user',
    attributes: {
      [ATTR.toolName]: title,
      [ATTR.waitReason]: 'tool_approval',
      [ATTR.waitWaiting]: 'false',
      [ATTR.waitResolution]: isRefused ? 'refused' : 'approved',
      ...(id !== undefined && { [ATTR.toolCallId]: id }),
    },
  })
  const isPersons = /^user/i.test(log.attributes['source'] ?? '')
  return [...(isPersons ? [wait] : []), ...(isRefused && !tools.has(id) ? [toolSpan(log, parent)] : [])]
}

interface SpanParts {
  readonly kind: 'agent' | 'llm' | 'tool' | 'wait'
  readonly name: string
  readonly attributes: Attributes
}

/** A span that ended when its log record was written. */
function spanOf(log: Logged, parent: StoredSpan | undefined, { kind, name, attributes }: SpanParts): StoredSpan {
  const { row, event } = log
  const millis = Number(kind === 'agent' || kind === 'wait' ? 0 : (valueOf(log, 'duration') ?? 0))
  const start = row.endTimeUnixNano - BigInt(Math.max(0, Math.round(millis * 1e6)) || 0)
  const isFailed =
    kind !== 'wait' && attributes[ATTR.state] === undefined && (event.isError || log.attributes['success'] === 'false')
  const error = isFailed ? (valueOf(log, 'error') ?? valueOf(log, 'result') ?? 'failed') : undefined
  return {
    ...row,
    spanId: hashId(`${row.traceId}/${row.spanId}/${kind}`, 16),
    parentSpanId: parent?.spanId ?? '',
    name,
    startTimeUnixNano: parent && start < parent.startTimeUnixNano ? parent.startTimeUnixNano : start,
    statusCode: error === undefined ? 'UNSET' : 'ERROR',
    statusMessage: error ?? '',
    attributes: {
      ...attributes,
      [ATTR.adoptedLogged]: kind,
      [ATTR.conversationId]: row.attributes[ATTR.conversationId] ?? '',
    },
    events: [],
  }
}

const valueOf = ({ attributes }: Logged, value: LoggedValue): string | undefined =>
  LOGGED_VALUES[value].map((key) => attributes[key]).find((text) => text !== undefined && text !== '')

/** A text that the agent does not leave out. */
function textOf(log: Logged): string | undefined {
  const text = valueOf(log, 'text')
  return text !== undefined && /^[[<]REDACTED[\]>]$/i.test(text) ? undefined : text
}

const message = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
