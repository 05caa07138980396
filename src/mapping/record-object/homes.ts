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

/** Where the values of a record live: on a role's spans, with the fields that every span may carry; on span events. */
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

/** Values by the names of fields, whatever their home. */
export type Values = Readonly<Record<string, FieldValue | undefined>>

/** The values of a span that go into the record. */
export type ValuesOf = (node: SpanNode) => Values

/** The values that a span's attributes hold, and nothing derived from them. */
export const storedValues: ValuesOf = ({ role, span }) =>
  decodeFields(role ? HOMES[role] : everySpanFields, span.attributes)

/** Values that a span of a role has beside those of its attributes. */
type Derivations = { readonly [R in Role]?: (node: SpanNode, own: HomeValues<R>) => Values }

/** The values that a span's attributes hold; what is `lacking` there is derived, and what is `replaced` in any case. */
export const withDerived =
  ({ lacking, replaced }: Readonly<Record<'lacking' | 'replaced', Derivations>>): ValuesOf =>
  (node) => {
    const own = storedValues(node)
    const { role } = node
    return role ? { ...lacking[role]?.(node, own), ...own, ...replaced[role]?.(node, own) } : own
  }
