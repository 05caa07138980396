import type { AttributeValue, everySpanFields, FieldValues, Role, State } from '../../semconv/index.js'
import type { HomeValues, Values } from '../record-object/index.js'

/** When something ran, Unix nanoseconds, as far as it is known. */
export interface Bounds {
  readonly start?: bigint | undefined
  readonly end?: bigint | undefined
}

/** A span before it has ids, a name and its final times: what a dialect makes of an object of its record. */
export interface SpanDraft extends Bounds {
  readonly role: Role
  /** The low-cardinality part of the name. */
  readonly subject?: string | undefined
  /** Fields that any span may carry, before those of `values`. */
  readonly every: FieldValues<typeof everySpanFields>
  /** The role's fields, and those that any span may carry. */
  readonly values: Values
  /** The position among the siblings of the role, where it is not the order of `children`. */
  readonly seq?: number | undefined
  /** Span events; without a time of its own an event stands at the span's start. */
  readonly events?: readonly EventDraft[]
  readonly children: readonly SpanDraft[]
}

export interface EventDraft {
  readonly name: string
  readonly time?: bigint | undefined
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** Makes a draft; the values are those of the role's home. */
export function draft<R extends Role>(
  role: R,
  values: HomeValues<R>,
  rest: Omit<SpanDraft, 'role' | 'values'>,
): SpanDraft {
  return { role, values, ...rest }
}

/** The state that a draft says its plan, agent or cycle is in. */
export const draftState = (state: State | undefined): { readonly state?: State } => (state ? { state } : {})
