import {
  decodeFields,
  eventFields,
  everySpanFields,
  exceptionFields,
  type FieldValue,
  type FieldValues,
  type Role,
  ROLE_FIELDS,
} from '../../semconv/index.js'
import type { SpanNode } from '../tree/index.js'

const EVENTS = { event: eventFields, exception: exceptionFields }

const withEverySpan = <R extends Role>(role: R): typeof everySpanFields & (typeof ROLE_FIELDS)[R] => ({
  ...everySpanFields,
  ...ROLE_FIELDS[role],
})

/**
 * Where the values of a record are stored: on spans of a role, with the fields that every span may have, or on span
 * events.
 */
export const HOMES = {
  plan: withEverySpan('plan'),
  planning: withEverySpan('planning'),
  wait: withEverySpan('wait'),
  agent: withEverySpan('agent'),
  think_act: withEverySpan('think_act'),
  llm: withEverySpan('llm'),
  guardrail: withEverySpan('guardrail'),
  tool: withEverySpan('tool'),
  ...EVENTS,
} as const

export type Home = keyof typeof HOMES

/** The values of a home's fields, each optional. */
export type HomeValues<H extends Home> = FieldValues<(typeof HOMES)[H]>

/** Values by field name, of any home. */
export type Values = Readonly<Record<string, FieldValue | undefined>>

/** Returns the values of a span that go into the record. */
export type ValuesOf = (node: SpanNode) => Values

/** Returns the values in a span's attributes, without derived ones. */
export const storedValues: ValuesOf = ({ role, span }) =>
  decodeFields(role ? HOMES[role] : everySpanFields, span.attributes)

/** Returns a function that computes the values of each span once. */
export function onceEach(valuesOf: ValuesOf): ValuesOf {
  const known = new Map<SpanNode, Values>()
  return (node) => {
    const values = known.get(node) ?? valuesOf(node)
    known.set(node, values)
    return values
  }
}

/** Functions that derive further values of a span, by role. */
type Derivations = { readonly [R in Role]?: (node: SpanNode, own: HomeValues<R>) => Values }

/**
 * Returns the values in a span's attributes with derived ones: `lacking` values fill gaps, `replaced` values take
 * precedence.
 */
export const withDerived =
  ({ lacking, replaced }: Readonly<Record<'lacking' | 'replaced', Derivations>>): ValuesOf =>
  (node) => {
    const own = storedValues(node)
    const { role } = node
    return role ? { ...lacking[role]?.(node, own), ...own, ...replaced[role]?.(node, own) } : own
  }
