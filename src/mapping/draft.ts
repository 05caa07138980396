import type {
  AttributeValue,
  everySpanFields,
  FieldValue,
  FieldValues,
  Role,
  ROLE_FIELDS,
  State,
} from '../semconv/index.js'

/** A span before it has ids, a name and its final times: what a dialect makes of an object of its record. */
export interface SpanDraft {
  readonly role: Role
  /** The low-cardinality part of the name. */
  readonly subject?: string | undefined
  readonly every: FieldValues<typeof everySpanFields>
  readonly values: Readonly<Record<string, FieldValue | undefined>>
  /** Unix nanoseconds, where the record tells them. */
  readonly start?: bigint | undefined
  readonly end?: bigint | undefined
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

/** Makes a draft; the values are those of the role's field table. */
export function draft<R extends Role>(
  role: R,
  values: FieldValues<(typeof ROLE_FIELDS)[R]>,
  rest: Omit<SpanDraft, 'role' | 'values'>,
): SpanDraft {
  return { role, values, ...rest }
}

/** The state that a draft says its plan, agent or cycle is in. */
export const draftState = (state: State | undefined): { readonly state?: State } => (state ? { state } : {})
