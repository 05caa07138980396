import {
  ATTR,
  decodeFields,
  everySpanFields,
  guardrailFields,
  type FieldValue,
  type Role,
  ROLE_FIELDS,
  STATES,
  toolFields,
} from '../../../semconv/index.js'
import { isActionTaken, isNotTaken, stoppedReason } from '../../faults/index.js'
import type { SpanDraft } from '../span-draft.js'
import {
  errorsOf,
  lastingState,
  reviewLogOf,
  isUnfinished,
  stateIfBegun,
  nearest,
  type SpanNode,
} from '../../tree/index.js'
import { jsonFromValue, type JsonValue, toValue, member, stringOf, type JsonNode } from '../../json/index.js'
import { HOMES, isoOf, unixNanoOf } from '../../record-object/index.js'

/** Fields that every import sets on a span. */
const OWN: ReadonlySet<string> = new Set<keyof typeof everySpanFields>([
  'role',
  'operation',
  'schemaVersion',
  'planId',
  'rootPlanId',
  'conversationId',
  'agentName',
  'seq',
  'state',
  'timeSynthetic',
  'redactedFields',
  'within',
  'dropped',
])

/** The roles whose state is always written. */
const STANDING: ReadonlySet<Role> = new Set(['plan', 'agent', 'think_act', 'wait'])

export interface SpanObject {
  readonly [key: string]: JsonValue | undefined
}

/** Returns a span's values by field name: its state, its start and end, and its fields, except those in `elsewhere`. */
export function spanObject(node: SpanNode, elsewhere: readonly string[] = []): SpanObject {
  const { role, span } = node
  if (role === undefined) return {}
  const own = valuesOf(node)
  // In the order of the tables.
  const values = Object.fromEntries(
    Object.keys(HOMES[role]).flatMap((name) => {
      const value = OWN.has(name) || elsewhere.includes(name) ? undefined : own[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const standing = stateIfBegun(node) && lastingState(node)
  const state = STANDING.has(role) || standing !== 'completed' ? standing : undefined
  return {
    state,
    start: startOf(node),
    end: isUnfinished(node) || own['timeSynthetic'] === true ? undefined : isoOf(span.endTimeUnixNano),
    ...values,
  }
}

/** Returns when a span began, unless that was derived. An open span has no recorded end. */
export const startOf = (node: SpanNode): string | undefined =>
  node.span.attributes[ATTR.timeSynthetic] === 'true' && !isUnfinished(node)
    ? undefined
    : isoOf(node.span.startTimeUnixNano)

/** Returns the values of a span's fields, including those that follow from its events and surroundings. */
function valuesOf(node: SpanNode): Readonly<Record<string, FieldValue>> {
  const { role, span } = node
  const own = decodeFields(HOMES[role as Role], span.attributes) as Record<string, FieldValue>
  // The text and the items of an answer share an attribute.
  if (own['outputItems'] !== undefined) delete own['output']
  const [error] = errorsOf(node)
  const { type: errorType, message: errorMessage } = error ?? {}
  const reviewLog = role === 'plan' ? reviewLogOf(span) : undefined
  const derived = { errorType, errorMessage, reviewLog, ...(role === 'guardrail' ? judgement(node) : {}) }
  for (const [name, value] of Object.entries(derived)) if (value !== undefined) own[name] ??= value
  return own
}

/** Returns whether the action that a guardrail judged was taken, and the calls that it stopped. */
function judgement(guardrail: SpanNode): Readonly<Record<string, FieldValue | undefined>> {
  const actionTaken = isActionTaken(guardrail)
  if (actionTaken !== false || guardrail.parent === undefined) return { actionTaken }
  const reason = stoppedReason(decodeFields(guardrailFields, guardrail.span.attributes))
  const stopped = nearest(guardrail.parent, 'tool')
    .filter(isNotTaken)
    .filter(({ span }) => decodeFields(everySpanFields, span.attributes).errorMessage === reason)
    .map(({ span }) => {
      const { name, callId: id, arguments: text } = decodeFields(toolFields, span.attributes)
      return { name, id, arguments: text }
    })
  return { actionTaken, stoppedCalls: stopped.length > 0 ? JSON.stringify(stopped) : undefined }
}

/** The part of a draft that is stored in such an object. */
export type ReadSpan = Pick<SpanDraft, 'start' | 'end' | 'every' | 'values'>

/** Reads a span's values. Values that do not fit their fields are dropped. */
export function readSpan(role: Role, node: JsonNode | undefined): ReadSpan {
  const fields: Readonly<Record<string, { readonly type: string }>> = { ...everySpanFields, ...ROLE_FIELDS[role] }
  const values: Record<string, FieldValue> = {}
  for (const { key, value } of node?.kind === 'object' ? node.members : []) {
    const field = Object.hasOwn(fields, key.value) && !OWN.has(key.value) ? fields[key.value] : undefined
    const read = field && valueOf(field.type, value)
    if (read !== undefined) values[key.value] ??= read
  }
  const text = stringOf(member(node, 'state'))
  const state = STATES.find((one) => one === text)
  const timeAt = (key: string) => unixNanoOf(stringOf(member(node, key)) ?? '', 'UTC')
  return { start: timeAt('start'), end: timeAt('end'), every: state ? { state } : {}, values }
}

function valueOf(type: string, node: JsonNode): FieldValue | undefined {
  const value = toValue(node)
  switch (type) {
    case 'int':
      return Number.isSafeInteger(value) ? (value as number) : undefined
    case 'double':
      return typeof value === 'number'
        ? value
        : value === 'NaN' || String(value).endsWith('Infinity')
          ? Number(value)
          : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'string[]':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
    default:
      return typeof value === 'string' ? value : undefined
  }
}

/** The key in `extra` for values that the format has no key for. */
export const KEY = 'planspan'

/** Returns an `extra` with these values. Undefined without values. */
export function extraOf(values: SpanObject): JsonNode | undefined {
  return Object.values(values).some((value) => value !== undefined) ? jsonFromValue({ [KEY]: values }) : undefined
}

export const extraIn = (node: JsonNode | undefined): JsonNode | undefined => member(member(node, 'extra'), KEY)
