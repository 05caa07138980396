import { append } from '../../../base/append.js'
import {
  itemsOf,
  jsonArray,
  jsonObject,
  jsonString,
  member,
  stringOf,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  bare,
  compactJson,
} from '../../json/index.js'
import type { HomeValues, RecordObject } from '../../record-object/index.js'
import { NAMED_EVENT, REDIS_ENTRY, WEBSOCKET_FRAME, type Envelope, type PlanActEra, type Vocabulary } from './era.js'
import { jsonOf, textOf, type EventValues, type PlanActEvent } from './plan-act-event.js'

type Item = Pick<PlanActEvent, 'type' | 'values'>

/** Reads one line, frame or list item. Undefined if it is not an event. */
export function readItem(item: JsonNode, { envelope, vocabulary }: PlanActEra): Item | undefined {
  if (item.kind !== 'object') return undefined
  const comment = envelope === 'named' && item.members.length === 1 ? stringOf(member(item, '')) : undefined
  if (comment !== undefined) return { type: undefined, values: { content: comment } }
  const type = typeOf(item, envelope)
  const data = envelope === 'none' ? item : member(item, 'data')
  if (type === undefined || data?.kind !== 'object') return undefined
  const { event, planning, agent, tool, parts } = objectOf(vocabulary, type).read(data)
  const values: EventValues = { ...event, ...planning, ...agent, ...tool }
  if (envelope === 'redis') Object.assign(values, REDIS_ENTRY.read(item).event)
  if (!isKnown(vocabulary, type)) values['data'] = restOf(data, vocabulary.other)
  return { type, values: { ...values, ...readSteps(parts['steps'], vocabulary.planStep) } }
}

/** Writes an event in the key order of its era. Values that the event lacks come from `plan`. */
export function writeItem({ type, values }: Item, era: PlanActEra, plan: HomeValues<'plan'> = {}): JsonObject {
  const { envelope, vocabulary } = era
  if (type === undefined && envelope === 'named') {
    return jsonObject([['', jsonString(textOf(values['content']) ?? '')]])
  }
  const name = type === undefined ? undefined : jsonString(type)
  const from = { event: values, planning: values, agent: values, tool: values, plan }
  const parts = { type: name, steps: writeSteps(values, vocabulary.planStep) }
  const data = objectOf(vocabulary, type).write({ ...from, parts })
  if (!isKnown(vocabulary, type)) {
    const rest = jsonOf(values['data'])
    if (rest?.kind === 'object') append(data.members, (bare(rest) as JsonObject).members)
  }
  if (envelope === 'none') return data
  if (envelope === 'redis') return REDIS_ENTRY.write({ ...from, parts: { data } })
  if (envelope === 'named') return NAMED_EVENT.write({ parts: { event: name, data } })
  return WEBSOCKET_FRAME.write({ plan, parts: { type: jsonString('event'), event: name, data } })
}

function typeOf(item: JsonObject, envelope: Envelope): string | undefined {
  if (envelope === 'redis') return stringOf(member(member(item, 'data'), 'type'))
  if (envelope === 'none') return stringOf(member(item, 'type'))
  if (envelope === 'websocket' && stringOf(member(item, 'type')) !== 'event') return undefined
  return stringOf(member(item, 'event'))
}

const NOT_TYPES: ReadonlySet<string> = new Set<keyof Vocabulary>(['other', 'planStep'])

const isKnown = (vocabulary: Vocabulary, type: string | undefined): type is keyof Vocabulary =>
  type !== undefined && Object.hasOwn(vocabulary, type) && !NOT_TYPES.has(type)

const objectOf = (vocabulary: Vocabulary, type: string | undefined): RecordObject =>
  isKnown(vocabulary, type) ? vocabulary[type] : vocabulary.other

/** Returns the members of an event of unknown type, without the head, as JSON text. Undefined without members. */
function restOf(data: JsonObject, { keys }: RecordObject): string | undefined {
  const members = data.members.filter(({ key }) => !keys.includes(key.value))
  return members.length > 0 ? compactJson({ kind: 'object', members }) : undefined
}

/** Reads the steps of a plan event. If one is malformed or has no description, no steps. */
function readSteps(steps: JsonNode | undefined, { partKeys }: RecordObject): EventValues {
  if (steps?.kind !== 'array') return {}
  const texts = steps.items.flatMap((item) => stringOf(member(item, DESCRIPTION)) ?? [])
  if (texts.length !== steps.items.length) return {}
  const keys = partKeys.filter((key) => key !== DESCRIPTION)
  const stepsJson = compactJson(jsonArray(steps.items.map((item) => ownOf(item, keys))))
  return { steps: texts, ...(texts.length > 0 ? { stepsJson } : {}) }
}

function writeSteps(values: EventValues, planStep: RecordObject): JsonNode | undefined {
  const { steps } = values
  const rest = itemsOf(jsonOf(values['stepsJson']))
  if (!Array.isArray(steps) && rest.length === 0) return undefined
  const texts = Array.isArray(steps) ? steps.map(jsonString) : []
  const valueOf = (key: string, index: number): JsonNode | undefined => {
    const value = key === DESCRIPTION ? texts[index] : member(rest[index], key)
    return value && bare(value)
  }
  return jsonArray(
    Array.from({ length: Math.max(texts.length, rest.length) }, (_, index) => {
      const parts = Object.fromEntries(planStep.partKeys.map((key) => [key, valueOf(key, index)]))
      return planStep.write({ event: values, parts })
    }),
  )
}

const DESCRIPTION = 'description'

/** Returns a step with these keys, without nulls. */
function ownOf(step: JsonNode, keys: readonly string[]): JsonNode {
  const members: JsonMember[] = keys.flatMap((key) => {
    const value = member(step, key)
    return !value || (value.kind === 'literal' && value.value === null) ? [] : [{ key: jsonString(key), value }]
  })
  return { kind: 'object', members }
}
