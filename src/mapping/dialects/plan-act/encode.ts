import { createHash } from 'node:crypto'

import { PlanspanError } from '../../../error.js'
import { itemsOf, member, stringOf, compactJson, type JsonNode } from '../../json/index.js'
import type { HomeValues } from '../../record-object/index.js'
import type { DialectRecord, EncodeContext } from '../dialect.js'
import { eraNamed, eraOf, SESSION_ANSWER, type Serialisation } from './era.js'
import { instantOf } from './event-time.js'
import { readItem } from './item.js'
import { textOf, WORKFLOW, type EventValues, type PlanActEvent } from './plan-act-event.js'
import { CARRIED } from './plan-events.js'
import { SessionReducer } from './session-reducer.js'
import { SpanBuilder } from './span-builder.js'
import type { PlanSink } from './span-sink.js'

/** Reads a session's events in one of their serializations. */
export function encodePlanAct(
  serialisation: Serialisation,
  document: JsonNode,
  { timeZone }: EncodeContext,
): DialectRecord {
  const isSession = serialisation === 'session'
  if (isSession && member(document, 'data')?.kind !== 'object') {
    throw new PlanspanError('invalid_record', 'Expected the events of a ManusX session in "data", got no "data".')
  }
  const { plan: session, parts } = SESSION_ANSWER.read(isSession ? document : undefined)
  const items = itemsOf(isSession ? parts.events : document)
  const eraName = eraOf(serialisation, items)
  const era = eraNamed(serialisation, eraName)
  const events: PlanActEvent[] = items.flatMap((node, seq) => {
    const item = readItem(node, era)
    return item ? [{ ...item, seq, time: instantOf(item.values, timeZone) }] : []
  })
  const sessionId = (isSession ? session.conversationId : stringOf(sessionOf(items))) || undefined
  const firstEvent = events.find(({ type }) => type !== undefined)
  const first = firstEvent && items[firstEvent.seq]
  const planId = firstValue(events, 'plan', 'recordId') || undefined
  const key = sessionId ?? (first && createHash('sha256').update(compactJson(first)).digest('hex'))
  const { placed, carried } = settle(events, session)
  const plan = new PlanBuilder({ ...carried, conversationId: sessionId }, planId ?? key)
  plan.lasts(placed.flatMap(({ time }) => time ?? []))
  const reducer = new SessionReducer(plan)
  for (const [index, event] of placed.entries()) {
    reducer.take(event, { isLast: event.type === 'plan' && typeAfter(placed, index) === 'done' })
  }
  reducer.finish()
  return { era: eraName, key, planId, rootPlanId: undefined, draft: plan.toDraft() }
}

/** Returns the type of the next event, skipping comments. */
function typeAfter(events: readonly PlanActEvent[], index: number): string | undefined {
  let at = index + 1
  while (at < events.length && events[at]?.type === undefined) at++
  return events[at]?.type
}

/** A WebSocket frame names the session of its event. */
const sessionOf = (items: readonly JsonNode[]): JsonNode | undefined =>
  items.map((item) => member(item, 'session_id')).find((id) => stringOf(id) !== undefined)

function firstValue(events: readonly PlanActEvent[], type: string, name: string): string | undefined {
  const found = events.find((event) => event.type === type && event.values[name] !== undefined)
  return textOf(found?.values[name])
}

/** Returns a value of the first plan event, if every plan event has one. */
function repeatedValue(events: readonly PlanActEvent[], name: string): string | undefined {
  const isComplete = events.every(({ type, values }) => type !== 'plan' || values[name] !== undefined)
  return isComplete ? firstValue(events, 'plan', name) : undefined
}

/** Sets what the plan's events repeat, the session's own values, the request and the summary on the plan span. */
function settle(
  events: readonly PlanActEvent[],
  { sessionTitle, sessionStatus, sessionShared }: HomeValues<'plan'>,
): { readonly placed: readonly PlanActEvent[]; readonly carried: EventValues } {
  const repeated = Object.fromEntries(CARRIED.map((name) => [name, repeatedValue(events, name)]))
  const hasTitles = firstValue(events, 'plan', 'title') !== undefined
  const title = hasTitles ? repeated['title'] : (firstValue(events, 'title', 'sessionTitle') ?? sessionTitle)
  const carried: EventValues = {
    ...repeated,
    title,
    sessionTitle: sessionTitle === title ? undefined : sessionTitle,
    sessionStatus,
    sessionShared,
  }
  const spoken = events.filter(({ type }) => type === 'message')
  const isDone = events.findLast(({ type }) => type !== undefined)?.type === 'done'
  const homes: [string, PlanActEvent | undefined][] = [
    ['request', spoken.find(({ values }) => values['role'] === 'user')],
    ['summary', isDone ? spoken.findLast(({ values }) => values['role'] === 'assistant') : undefined],
  ]
  const placed = new Map(events.map((event) => [event.seq, event]))
  for (const [contentIn, event] of homes) {
    const content = event?.values['content']
    if (!event || content === undefined) continue
    carried[contentIn] = content
    placed.set(event.seq, { ...event, values: { ...event.values, contentIn } })
  }
  return { placed: [...placed.values()], carried }
}

/** The plan span of an imported session. */
class PlanBuilder extends SpanBuilder implements PlanSink {
  readonly #planId: string | undefined

  /** `carried` are the values that all of the session's events repeat. The plan id is stored separately. */
  constructor(carried: EventValues, planId: string | undefined) {
    super('plan', { workflow: WORKFLOW, ...carried })
    this.#planId = planId
  }

  setCarried(values: EventValues): EventValues {
    return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== this.#carried(name)))
  }

  #carried(name: string): EventValues[string] {
    if (name === 'recordId') return this.#planId
    return this.values[name === 'sessionTitle' ? 'title' : name]
  }
}
