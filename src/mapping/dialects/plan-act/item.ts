import {
  jsonLiteral,
  jsonObject,
  jsonString,
  member,
  stringOf,
  type JsonNode,
  type JsonObject,
} from '../../json/node.js'
import { bare, compactJson } from '../../json/write.js'
import type { Envelope, Era } from './era.js'
import { jsonOf, textOf, type EventValues, type PlanActEvent } from './event.js'
import { readShape, writeShape, type Shape } from './part.js'
import type { Vocabulary } from './vocabulary.js'

type Item = Pick<PlanActEvent, 'type' | 'values'>

/** Reads one line, frame or list item; undefined where it is no event. */
export function readItem(item: JsonNode, { envelope, vocabulary }: Era): Item | undefined {
  if (item.kind !== 'object') return undefined
  const comment = envelope === 'named' && item.members.length === 1 ? stringOf(member(item, '')) : undefined
  if (comment !== undefined) return { type: undefined, values: { content: comment } }
  const type = typeOf(item, envelope)
  const data = envelope === 'none' ? item : member(item, 'data')
  if (type === undefined || data?.kind !== 'object') return undefined
  const values: EventValues = {}
  if (envelope === 'redis') values['streamId'] = stringOf(member(item, 'id'))
  readShape(data, vocabulary.head, values)
  const shape = shapeOf(vocabulary, type)
  if (shape) readShape(data, shape, values)
  else values['data'] = restOf(data, vocabulary.head)
  return { type, values }
}

/** Writes an event, in the key order of its era. */
export function writeItem({ type, values }: Item, { envelope, vocabulary }: Era, sessionId?: string): JsonObject {
  if (type === undefined && envelope === 'named') {
    return jsonObject([['', jsonString(textOf(values['content']) ?? '')]])
  }
  const data = jsonObject([
    ...membersOf(writeShape({ ...values, type }, vocabulary.head)),
    ...membersOf(dataOf(type, values, vocabulary)),
  ])
  if (envelope === 'none') return data
  if (envelope === 'redis')
    return jsonObject([
      ['id', textNode(textOf(values['streamId']))],
      ['data', data],
    ])
  const named: [string, JsonNode][] = [
    ['event', textNode(type)],
    ['data', data],
  ]
  if (envelope === 'named') return jsonObject(named)
  return jsonObject([['type', jsonString('event')], ['session_id', textNode(sessionId)], ...named])
}

function typeOf(item: JsonObject, envelope: Envelope): string | undefined {
  if (envelope === 'redis') return stringOf(member(member(item, 'data'), 'type'))
  if (envelope === 'none') return stringOf(member(item, 'type'))
  if (envelope === 'websocket' && stringOf(member(item, 'type')) !== 'event') return undefined
  return stringOf(member(item, 'event'))
}

const shapeOf = ({ types }: Vocabulary, type: string | undefined): Shape | undefined =>
  type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined

function dataOf(type: string | undefined, values: EventValues, vocabulary: Vocabulary): JsonNode {
  const shape = shapeOf(vocabulary, type)
  if (shape) return writeShape(values, shape)
  const data = jsonOf(values['data'])
  return data ? bare(data) : jsonObject([])
}

/** What an event of no known type has beside the head; undefined for nothing. */
function restOf(data: JsonObject, head: Shape): string | undefined {
  const known = new Set(head.map(([key]) => key))
  const members = data.members.filter(({ key }) => !known.has(key.value))
  return members.length > 0 ? compactJson({ kind: 'object', members }) : undefined
}

const textNode = (text: string | undefined): JsonNode => (text === undefined ? jsonLiteral(null) : jsonString(text))

const membersOf = (node: JsonNode): (readonly [string, JsonNode])[] =>
  node.kind === 'object' ? node.members.map(({ key, value }) => [key.value, value] as const) : []
