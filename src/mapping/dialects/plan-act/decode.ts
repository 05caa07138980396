import { jsonArray, jsonLiteral, jsonNumber, jsonObject, jsonString, type JsonNode } from '../../json/node.js'
import type { SpanNode } from '../../tree.js'
import { carriedBy, collectEvents } from './collect.js'
import { eraNamed, type Serialisation } from './era.js'
import { textOf, type EventValues } from './event.js'
import { writeItem } from './item.js'

/** The canonical document of a session's spans, in the serialisation that they were imported in. */
export function decodePlanAct(serialisation: Serialisation, plan: SpanNode, eraName: string): JsonNode {
  const era = eraNamed(serialisation, eraName)
  const carried = carriedBy(plan)
  const sessionId = textOf(carried['sessionId'])
  const items = collectEvents(plan).map((event) => ({
    ...writeItem(event, era, sessionId),
    slot: event.seq,
    ...(event.origin === undefined ? {} : { origin: event.origin }),
  }))
  const origin = plan.span.spanId
  if (serialisation !== 'session') return { kind: 'array', items, origin }
  return { ...sessionDocument(carried, items), origin }
}

/** The answer of `GET /sessions/{id}`. */
export const sessionDocument = (session: EventValues, events: JsonNode[]) =>
  jsonObject([
    ['code', jsonNumber('0')],
    ['msg', jsonString('success')],
    [
      'data',
      jsonObject([
        ['session_id', textNode(session['sessionId'])],
        ['title', textNode(session['sessionTitle'] ?? session['title'])],
        ['status', textNode(session['sessionStatus'])],
        ['events', jsonArray(events)],
        ['is_shared', booleanNode(session['sessionShared'])],
      ]),
    ],
  ])

const textNode = (value: EventValues[string]): JsonNode =>
  typeof value === 'string' ? jsonString(value) : jsonLiteral(null)

const booleanNode = (value: EventValues[string]): JsonNode => jsonLiteral(typeof value === 'boolean' ? value : null)
