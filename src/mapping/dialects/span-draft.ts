import type { AttributeValue, everySpanFields, FieldValues, Role, State, StatusCode } from '../../semconv/index.js'
import type { JsonObject } from '../json/index.js'
import type { HomeValues, Values } from '../record-object/index.js'

/** When something ran, Unix nanoseconds, as far as known. */
export interface Bounds {
  readonly start?: bigint | undefined
  readonly end?: bigint | undefined
}

/** A span before it has ids, a name and final times: what a dialect reads from an object of its record. */
export interface SpanDraft extends Bounds {
  readonly role: Role
  /** The low-cardinality part of the name. */
  readonly subject?: string | undefined
  /** Fields that any span may have. They yield to those in `values`. */
  readonly every: FieldValues<typeof everySpanFields>
  /** The role's fields, and those that any span may have. */
  readonly values: Values
  /** The position among siblings of the role, if it is not the order of `children`. */
  readonly seq?: number | undefined
  /** Span events. An event without a time is placed at the span's start. */
  readonly events?: readonly EventDraft[]
  /** @default the name of the role and the subject */
  readonly name?: string | undefined
  /** @default follows from the state and the error */
  readonly status?: { readonly code: StatusCode; readonly message: string } | undefined
  /** Attributes besides those of fields. */
  readonly attributes?: Readonly<Record<string, AttributeValue>>
  readonly links?: readonly LinkDraft[]
  /** The object of the record that the draft was read from. */
  readonly from?: JsonObject
  readonly children: readonly SpanDraft[]
}

/** A link to another span of the record. */
export interface LinkDraft {
  readonly to: SpanDraft
  readonly type: string
}

export interface EventDraft {
  readonly name: string
  readonly time?: bigint | undefined
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** Creates a draft. The values are those of the role's home. */
export function draft<R extends Role>(
  role: R,
  values: HomeValues<R>,
  rest: Omit<SpanDraft, 'role' | 'values'>,
): SpanDraft {
  return { role, values, ...rest }
}

/** Returns the state field of a draft. */
export const draftState = (state: State | undefined): { readonly state?: State } => (state ? { state } : {})
