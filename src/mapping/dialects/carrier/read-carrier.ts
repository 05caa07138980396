import {
  ATTR,
  everySpanFields,
  type FieldValue,
  LINK_TYPES,
  type Role,
  ROLES,
  type State,
  STATES,
} from '../../../semconv/index.js'
import { itemsOf, member, stringOf, toValue, type JsonNode, type JsonValue } from '../../json/index.js'
import { unixNanoOf } from '../../record-object/index.js'
import { draftState, type EventDraft, type LinkDraft, type SpanDraft } from '../span-draft.js'
import { flatten } from './align-reading.js'
import { carriedFields, RECORD_IDS } from './carried-values.js'
import { factsOf, recordedState } from './span-entry.js'
import { subjectOf } from './subject.js'
import { MAX_DEPTH } from './write-carrier.js'

/** A draft while the list is read. */
interface Reading {
  readonly draft: SpanDraft
  readonly children: SpanDraft[]
  readonly links: LinkDraft[]
  readonly conversationId: string | undefined
  readonly depth: number
}

/**
 * Reads a carrier over the spans that the dialect read from the keys of its own record. Undefined for a list that is
 * not one tree of spans.
 */
export function readCarrier(carrier: JsonNode | undefined, reading: SpanDraft): SpanDraft | undefined {
  const read = flatten(reading)
  const said = member(carrier, 'said')
  const list: Reading[] = []
  const entries = itemsOf(member(carrier, 'spans'))
  for (const entry of entries) {
    const role = ROLES.find((one) => one === stringOf(member(entry, 'role')))
    const above = list[indexIn(entry, 'in')]
    if (!role || (list.length > 0 && !above) || (above?.depth ?? 0) >= MAX_DEPTH) return undefined
    const of = read[indexIn(entry, 'of')]
    const next = readEntry(entry, role, { names: itemsOf(member(said, role)), of, above })
    above?.children.push(next.draft)
    list.push(next)
  }
  for (const [index, entry] of entries.entries()) {
    for (const guard of itemsOf(member(entry, 'guardedBy'))) {
      const to = list[numberOf(guard)]?.draft
      if (to) list[index]?.links.push({ to, type: LINK_TYPES.guards })
    }
  }
  const root = list[0]?.draft
  const origin = stringOf(member(carrier, 'origin'))
  return root && origin !== undefined
    ? { ...root, attributes: { ...root.attributes, [ATTR.recordOrigin]: origin } }
    : root
}

interface Around {
  readonly names: readonly JsonNode[]
  readonly of: SpanDraft | undefined
  readonly above: Reading | undefined
}

function readEntry(entry: JsonNode, role: Role, { names, of, above }: Around): Reading {
  const facts: Record<string, unknown> = {}
  const stated = of ? factsOf(of) : {}
  for (const name of [...RECORD_IDS, ...names.flatMap((one) => stringOf(one) ?? [])]) facts[name] = stated[name]
  for (const { key, value } of entry.kind === 'object' ? entry.members : []) facts[key.value] = toValue(value)
  const values: Record<string, FieldValue> = {}
  for (const { name, field } of [...carriedFields(role), ...IDS]) {
    const value = valueOf(field.type, facts[name] as JsonValue | undefined)
    if (value !== undefined) values[name] = value
  }
  const text = (name: string): string | undefined => (typeof facts[name] === 'string' ? facts[name] : undefined)
  const conversationId = text('conversationId') ?? above?.conversationId
  const begun = unixNanoOf(text('begun') ?? '', 'UTC')
  const state = STATES.find((one): one is State => one === facts['state'])
  const children: SpanDraft[] = []
  const links: LinkDraft[] = []
  const { statusCode, statusMessage = '' } = { statusCode: text('statusCode'), statusMessage: text('statusMessage') }
  const draft: SpanDraft = {
    role,
    subject: subjectOf(role, values),
    name: text('spanName'),
    values,
    every: {
      ...draftState(recordedState(role, state)),
      conversationId: conversationId || undefined,
      agentName: text('agentName'),
    },
    start: unixNanoOf(text('start') ?? '', 'UTC'),
    end: unixNanoOf(text('end') ?? '', 'UTC'),
    status:
      statusCode === 'ERROR' || statusCode === 'OK' || statusCode === 'UNSET'
        ? { code: statusCode, message: statusMessage }
        : state === 'failed'
          ? { code: 'ERROR', message: text('errorMessage') ?? '' }
          : undefined,
    attributes: {
      ...textsOf(facts['attributes']),
      ...(begun === undefined ? {} : { [ATTR.segmentBegun]: String(begun) }),
    },
    events: itemsOf(member(entry, 'events')).map(readEvent),
    links,
    children,
  }
  return { draft, children, links, conversationId, depth: (above?.depth ?? 0) + 1 }
}

/** Fields of every span that are stated for plans and for the first span. */
const IDS = (['planId', 'rootPlanId'] as const).map((name) => ({ name, field: everySpanFields[name] }))

function readEvent(event: JsonNode): EventDraft {
  const attributes = member(event, 'attributes')
  const members = attributes?.kind === 'object' ? attributes.members : []
  return {
    name: stringOf(member(event, 'name')) ?? '',
    time: unixNanoOf(stringOf(member(event, 'time')) ?? '', 'UTC'),
    attributes: Object.fromEntries(
      members.flatMap(({ key, value }) => {
        const read = toValue(value)
        return typeof read === 'object' ? [] : [[key.value, read] as const]
      }),
    ),
  }
}

const textsOf = (values: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(typeof values === 'object' && values !== null ? values : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

function numberOf(node: JsonNode | undefined): number {
  return node?.kind === 'number' ? Number(node.text) : -1
}

const indexIn = (entry: JsonNode, key: string): number => numberOf(member(entry, key))

/** Returns a value that fits a field of the type. */
function valueOf(type: string, value: JsonValue | undefined): FieldValue | undefined {
  switch (type) {
    case 'int':
      return Number.isSafeInteger(value) ? (value as number) : undefined
    case 'double':
      return typeof value === 'number' ? value : NOT_FINITE.has(String(value)) ? Number(value) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'string[]':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
    default:
      return typeof value === 'string' ? value : undefined
  }
}

const NOT_FINITE: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity'])
