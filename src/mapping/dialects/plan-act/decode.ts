import {
  ATTR,
  decodeFields,
  eventFields,
  EVENTS,
  everySpanFields,
  planningFields,
  type SpanEvent,
} from '../../../semconv/index.js'
import { jsonArray, jsonNumber, jsonString, type JsonNode, type JsonObject } from '../../json/index.js'
import { HOMES, type HomeValues } from '../../record-object/index.js'
import { isForeignRecord, ownNodes, recordOriginOf, type SpanNode } from '../../tree/index.js'
import { eraNamed, SESSION_ANSWER, type Serialisation } from './era.js'
import type { EventValues, PlanActEvent } from './plan-act-event.js'
import { writeItem } from './item.js'
import { PLAN_EVENTS } from './plan-events.js'

/** Writes the canonical document of a session, in the serialization that it was imported in. */
export function decodePlanAct(serialisation: Serialisation, plan: SpanNode, eraName: string): JsonNode {
  const era = eraNamed(serialisation, eraName)
  const carried = carriedBy(plan)
  const items = collectEvents(plan).map((event) => ({
    ...writeItem(event, era, carried),
    slot: event.seq,
    ...(event.origin === undefined ? {} : { origin: event.origin }),
  }))
  const origin = plan.span.spanId
  if (serialisation !== 'session') return { kind: 'array', items, origin }
  return { ...sessionDocument(carried, items), origin }
}

/** Returns the plan span's values: those of the plan and of its session. */
export const carriedBy = (plan: SpanNode): HomeValues<'plan'> => decodeFields(HOMES.plan, plan.span.attributes)

/** The response of `GET /sessions/{id}`. */
export const sessionDocument = (plan: HomeValues<'plan'>, events: JsonNode[]): JsonObject =>
  SESSION_ANSWER.write({
    plan,
    parts: { code: jsonNumber('0'), msg: jsonString('success'), events: jsonArray(events) },
  })

interface Found {
  readonly node: SpanNode
  readonly event: SpanEvent<string>
  readonly own: HomeValues<'event'>
  readonly seq: number
  readonly isImported: boolean
}

/**
 * Whether a plan's spans contain the events of a session: of an imported one, or of one that was recorded live, whose
 * events have the ids of their stream.
 */
export function isSession(plan: SpanNode): boolean {
  const origin = recordOriginOf(plan.span)
  if (origin !== undefined) return origin.startsWith('plan-act:')
  const hasId = ({ attributes }: SpanEvent<string>): boolean =>
    attributes[ATTR.eventStreamId] !== undefined || attributes[ATTR.eventId] !== undefined
  return [plan, ...ownNodes(plan)].some(({ span }) => span.events.some(hasId))
}

/** Returns the events of a session from its spans, in order. */
export function collectEvents(plan: SpanNode): PlanActEvent[] {
  const found: Found[] = []
  const isImported = isForeignRecord(plan.span)
  for (const node of [plan, ...ownNodes(plan)]) {
    for (const event of node.span.events) {
      const own = decodeFields(eventFields, event.attributes)
      if (own.seq !== undefined) found.push({ node, event, own, seq: own.seq, isImported })
    }
  }
  found.sort((a, b) => a.seq - b.seq)
  const last = new Map(found.map((entry) => [entry.node, entry.seq]))
  return found.map((entry) => {
    const isLast = last.get(entry.node) === entry.seq
    return {
      seq: entry.seq,
      ...readEvent(entry, isLast),
      time: entry.event.timeUnixNano,
      origin: isLast && entry.node !== plan ? entry.node.span.spanId : undefined,
    }
  })
}

function readEvent(found: Found, isLast: boolean): Pick<PlanActEvent, 'type' | 'values'> {
  const { own, event, node } = found
  if (event.name === EVENTS.message) return { type: 'message', values: own }
  if (event.name === EVENTS.exception) return { type: 'error', values: own }
  if (event.name === EVENTS.streamComment) return { type: undefined, values: own }
  if (event.name === EVENTS.stepStatusChanged) return { type: 'step', values: stepValues(found, isLast) }
  if (event.name === EVENTS.toolStatusChanged) return { type: 'tool', values: toolValues(found, isLast) }
  const word = [...PLAN_EVENTS].find(([, name]) => name === event.name)?.[0]
  if (word === undefined) return { type: own.type ?? '', values: own }
  const home = event.name === EVENTS.planCompleted ? event.attributes : node.span.attributes
  return { type: 'plan', values: { ...planValues(home), ...own, eventStatus: own.eventStatus ?? word } }
}

function planValues(home: Readonly<Record<string, string>>): EventValues {
  const { recordId, status, errorMessage } = decodeFields(everySpanFields, home)
  return { ...decodeFields(planningFields, home), recordId, status, errorMessage }
}

/**
 * Returns the values of a step event. The span has those of its last event; the earlier one only began the step. A live
 * span also has an error that ended the step without an event of its own.
 */
function stepValues({ node, own, isImported }: Found, isLast: boolean): EventValues {
  const { stepId, stepDescription, status, result, success, attachments, ...span } = decodeFields(
    HOMES.agent,
    node.span.attributes,
  )
  const errorMessage = isImported || status !== 'running' ? span.errorMessage : undefined
  const then = isLast
    ? { status, errorMessage, result, success, attachments }
    : { status: own.status ?? 'running', success: false, attachments: [] }
  return { ...own, stepId, stepDescription, ...then }
}

function toolValues({ node, own }: Found, isLast: boolean): EventValues {
  const {
    callId,
    group,
    name,
    arguments: args,
    status,
    content,
    result,
    brief,
  } = decodeFields(HOMES.tool, node.span.attributes)
  const then = isLast ? { status, content, result, brief } : { status: own.status ?? 'calling' }
  return { ...own, callId, group, name, arguments: args, ...then }
}
