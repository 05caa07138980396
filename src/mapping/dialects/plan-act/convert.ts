import {
  itemsOf,
  jsonArray,
  jsonLiteral,
  jsonObject,
  member,
  stringOf,
  type JsonNode,
  compactJson,
} from '../../json/index.js'
import { stateOf, type SpanNode } from '../../tree/index.js'
import { isoOf, type HomeValues } from '../../record-object/index.js'
import { carriedBy, collectEvents, isSession, sessionDocument } from './decode.js'
import { deriveEvents } from './derive.js'
import { DOMAIN_VOCABULARY, eraNamed, type Serialisation } from './era.js'
import { jsonOf, textOf, type EventValues, type PlanActEvent } from './plan-act-event.js'
import { writeItem } from './item.js'
import { streamTimeOf } from './event-time.js'

const NANOS_PER_SECOND = 1_000_000_000n
const NANOS_PER_MS = 1_000_000n

/**
 * Converts a plan to a session in a serialization that it was not imported in. The SSE stream does not repeat the
 * user's messages.
 */
export function convertPlanAct(serialisation: Serialisation, plan: SpanNode): JsonNode {
  const era = eraNamed(serialisation, '')
  const carried = carriedBy(plan)
  const [events, said] = isSession(plan) ? [collectEvents(plan), carried] : [deriveEvents(plan), {}]
  const stamps = new Stamps()
  const items = events
    .filter(({ type, values }) => type !== undefined && !(serialisation === 'sse' && values['role'] === 'user'))
    .map((event) => stamps.stamp(event))
    .map((event) =>
      writeItem(era.vocabulary === DOMAIN_VOCABULARY ? toDomain(event, carried) : toInterface(event), era, said),
    )
  if (serialisation !== 'session') return { kind: 'array', items }
  const { planId, conversationId = planId, sessionStatus = sessionStatusOf(plan), sessionShared = false } = carried
  return sessionDocument({ ...carried, conversationId, sessionStatus, sessionShared }, items)
}

/** ManusX marks a session completed after an error, too. */
function sessionStatusOf(plan: SpanNode): string {
  const state = stateOf(plan)
  if (state === 'waiting') return 'waiting'
  return state === 'completed' || state === 'failed' || state === 'cancelled' ? 'completed' : 'running'
}

/** Assigns stream ids to events without one, as Redis would have. */
class Stamps {
  readonly #counts = new Map<bigint, number>()

  stamp(event: PlanActEvent): PlanActEvent {
    const { eventId, streamId } = event.values
    const known = textOf(streamId) ?? textOf(eventId)
    const id = streamTimeOf(known) === undefined ? this.#next((event.time ?? 0n) / NANOS_PER_MS) : known
    return { ...event, values: { ...event.values, streamId: id, eventId: eventId ?? id } }
  }

  #next(milliseconds: bigint): string {
    const count = this.#counts.get(milliseconds) ?? 0
    this.#counts.set(milliseconds, count + 1)
    return `${milliseconds}-${count}`
  }
}

/** Converts an event to what the server sends to its clients: ids of the stream, whole seconds. */
export function toInterface(event: PlanActEvent): PlanActEvent {
  const { values, time = 0n } = event
  return {
    ...event,
    values: {
      ...values,
      eventId: values['streamId'],
      timestamp: String(time / NANOS_PER_SECOND),
      messageAttachments: shownFiles(values['messageAttachments']),
    },
  }
}

/** Converts an event to the domain. Values that clients do not receive are those of a new object. */
function toDomain(event: PlanActEvent, carried: HomeValues<'plan'>): PlanActEvent {
  const { type, values, time = 0n } = event
  const timestamp = textOf(values['timestamp'])
  return {
    ...event,
    values: {
      ...(type === 'step' ? stepDefaults(values) : {}),
      ...definedOf(values),
      ...(type === 'plan' ? planDefaults(values, carried) : {}),
      timestamp: timestamp === undefined || /^\d+$/.test(timestamp) ? naiveTime(time) : timestamp,
    },
  }
}

const definedOf = (values: EventValues): EventValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Formats a time without a zone, in UTC, as Python does: with six fraction digits, or none. */
const naiveTime = (time: bigint): string => {
  const [whole = '', fraction = ''] = isoOf(time).slice(0, -1).split('.')
  const micros = fraction.padEnd(6, '0').slice(0, 6)
  return micros === '000000' ? whole : `${whole}.${micros}`
}

const stepDefaults = ({ status }: EventValues): EventValues => ({ success: status === 'completed', attachments: [] })

const PLAN_STATUS: Readonly<Record<string, string>> = { created: 'pending', updated: 'running', completed: 'completed' }

/** ManusX's plans always have a title and a goal, which may be empty. */
function planDefaults(
  { eventStatus, status, stepsJson, ...timestamp }: EventValues,
  carried: HomeValues<'plan'>,
): EventValues {
  const steps = itemsOf(jsonOf(stepsJson))
  const title = timestamp['title'] ?? carried.title ?? ''
  return {
    title,
    goal: timestamp['goal'] ?? carried.goal ?? title,
    status: status ?? PLAN_STATUS[textOf(eventStatus) ?? ''],
    stepsJson: compactJson(jsonArray(steps.map(wholeStep))),
  }
}

function wholeStep(step: JsonNode): JsonNode {
  if (step.kind !== 'object') return step
  const defaults: [string, JsonNode][] = [
    ['success', jsonLiteral(stringOf(member(step, 'status')) === 'completed')],
    ['attachments', jsonArray([])],
  ]
  const missing = jsonObject(defaults.filter(([key]) => member(step, key) === undefined))
  return { kind: 'object', members: [...step.members, ...missing.members] }
}

const SHOWN = ['file_id', 'filename', 'content_type', 'size', 'upload_date', 'metadata', 'file_url']

/** Returns files as clients see them, without sandbox paths and owners. Null without files. */
function shownFiles(value: EventValues[string]): string | undefined {
  const files = itemsOf(jsonOf(value))
  if (files.length === 0) return undefined
  return compactJson(
    jsonArray(files.map((file) => jsonObject(SHOWN.map((key) => [key, member(file, key) ?? jsonLiteral(null)])))),
  )
}
