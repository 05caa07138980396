import { ATTR, OPERATIONS, type Role, type Span, type StoredSpan } from '../../src/semconv/index.js'

export interface AnySpan {
  readonly index: number
  /** The index of the parent; -1 for a root. */
  readonly parent: number
  readonly role: Role | undefined
  readonly planId: string
  readonly rootPlanId?: string
  readonly start?: bigint
  readonly attributes?: Readonly<Record<string, string>>
}

/** The id of a span by its number. */
export const spanIdOf = (index: number): string => (index + 1).toString(16).padStart(16, '0')

/** An ended span; a span without a role belongs to another instrumentation. */
export function spanOf({ index, parent, role, planId, rootPlanId = planId, start, attributes }: AnySpan): StoredSpan {
  const begun = start ?? 1_700_000_000_000_000_000n + BigInt(index)
  return {
    traceId: 'abcdef'.padEnd(32, '0'),
    spanId: spanIdOf(index),
    parentSpanId: parent < 0 ? '' : spanIdOf(parent),
    name: role === undefined ? 'other' : OPERATIONS[role],
    kind: 'INTERNAL',
    startTimeUnixNano: begun,
    endTimeUnixNano: begun,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: {
      ...(role === undefined
        ? {}
        : { [ATTR.spanKind]: role, [ATTR.planId]: planId, [ATTR.planRootId]: rootPlanId, [ATTR.state]: 'completed' }),
      ...attributes,
    },
    events: [],
    links: [],
    serviceName: 'test',
    scopeName: '',
    resourceAttributes: {},
  }
}

/** The same span, to be sent. */
export const anySpan = (any: AnySpan): Span => {
  const { serviceName: _, scopeName: __, resourceAttributes: ___, ...span } = spanOf(any)
  return { ...span, kind: 'INTERNAL' }
}

/** A plan with `count` spans of one kind below it. */
export const spansBelow = (role: Role | undefined, count: number): StoredSpan[] => [
  spanOf({ index: 0, parent: -1, role: 'plan', planId: 'p-0' }),
  ...Array.from({ length: count }, (_, at) => spanOf({ index: at + 1, parent: 0, role, planId: 'p-0' })),
]
