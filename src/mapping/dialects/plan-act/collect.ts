import {
  decodeFields,
  eventFields,
  EVENTS,
  everySpanFields,
  planFields,
  planningFields,
  ROLE_FIELDS,
  type SpanEvent,
} from '../../../semconv/index.js'
import { walk, type SpanNode } from '../../tree.js'
import { wordOfStep, type EventValues, type PlanActEvent } from './event.js'
import { CARRIED, PLAN_EVENTS } from './progress.js'

interface Found {
  readonly node: SpanNode
  readonly event: SpanEvent<string>
  readonly own: EventValues
  readonly seq: number
}

/** What the plan span says of the plan and its session. */
export function carriedBy(plan: SpanNode): EventValues {
  const { planId, conversationId } = decodeFields(everySpanFields, plan.span.attributes)
  return { ...decodeFields(planFields, plan.span.attributes), recordId: planId, sessionId: conversationId }
}

/** The events of a session that its spans stand for, in their order; none for spans of another origin. */
export function collectEvents(plan: SpanNode): PlanActEvent[] {
  const found: Found[] = []
  for (const node of walk(plan)) {
    for (const event of node.span.events) {
      const own: EventValues = decodeFields(eventFields, event.attributes)
      if (typeof own['seq'] === 'number') found.push({ node, event, own, seq: own['seq'] })
    }
  }
  found.sort((a, b) => a.seq - b.seq)
  const last = new Map(found.map((entry) => [entry.node, entry.seq]))
  const carried = carriedBy(plan)
  return found.map((entry) => {
    const isLast = last.get(entry.node) === entry.seq
    return {
      seq: entry.seq,
      ...readEvent(entry, isLast, carried),
      time: entry.event.timeUnixNano,
      origin: isLast && entry.node !== plan ? entry.node.span.spanId : undefined,
    }
  })
}

function readEvent(found: Found, isLast: boolean, carried: EventValues): Pick<PlanActEvent, 'type' | 'values'> {
  const { own, event, node } = found
  const { attributes } = node.span
  if (event.name === EVENTS.message) {
    const { contentIn } = own
    const content =
      own['content'] ?? (contentIn === 'request' || contentIn === 'summary' ? carried[contentIn] : undefined)
    return { type: 'message', values: { ...own, content } }
  }
  if (event.name === EVENTS.exception) return { type: 'error', values: own }
  if (event.name === EVENTS.streamComment) return { type: undefined, values: own }
  if (event.name === EVENTS.stepStatusChanged) return { type: 'step', values: stepValues(found, isLast) }
  if (event.name === EVENTS.toolStatusChanged) return { type: 'tool', values: toolValues(found, isLast) }
  const word = [...PLAN_EVENTS].find(([, name]) => name === event.name)?.[0]
  if (word !== undefined) {
    const home = event.name === EVENTS.planCompleted ? event.attributes : attributes
    return { type: 'plan', values: { ...planValues(home, carried), ...own, eventStatus: own['eventStatus'] ?? word } }
  }
  const type = typeof own['type'] === 'string' ? own['type'] : ''
  return { type, values: type === 'title' ? { ...own, sessionTitle: own['sessionTitle'] ?? carried['title'] } : own }
}

function planValues(home: Readonly<Record<string, string>>, carried: EventValues): EventValues {
  const { recordId, status, errorMessage } = decodeFields(everySpanFields, home)
  const values: EventValues = decodeFields(planningFields, home)
  const repeated = Object.fromEntries(CARRIED.map((name) => [name, values[name] ?? carried[name]]))
  return { ...values, ...repeated, recordId: recordId ?? carried['recordId'], status, errorMessage }
}

/** The span says what its last event says; an event before it is a beginning, and says what it began. */
function stepValues({ node, own }: Found, isLast: boolean): EventValues {
  const { status, errorMessage } = decodeFields(everySpanFields, node.span.attributes)
  const { stepId, stepDescription, result, success, attachments } = decodeFields(
    ROLE_FIELDS.agent,
    node.span.attributes,
  )
  const then = isLast
    ? { status, errorMessage, result, success, attachments }
    : { status: own['status'] ?? 'running', success: false, attachments: [] }
  return { ...own, stepId, stepDescription, ...then, eventStatus: own['eventStatus'] ?? wordOfStep(then.status) }
}

function toolValues({ node, own }: Found, isLast: boolean): EventValues {
  const { status } = decodeFields(everySpanFields, node.span.attributes)
  const {
    callId,
    group,
    name,
    arguments: args,
    content,
    result,
    brief,
  } = decodeFields(ROLE_FIELDS.tool, node.span.attributes)
  const then = isLast ? { status, content, result, brief } : { status: own['status'] ?? 'calling' }
  return { ...own, callId, group, name, arguments: args, ...then }
}
