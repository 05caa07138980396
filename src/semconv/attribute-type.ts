import { ATTR } from './attributes.js'
import type { AttributeType } from './codec.js'
import { eventFields, everySpanFields, ROLE_FIELDS } from './fields/index.js'

const TYPES: ReadonlyMap<string, AttributeType> = new Map([
  ...[everySpanFields, eventFields, ...Object.values(ROLE_FIELDS)].flatMap((table) =>
    Object.values(table).map(({ key, type }) => [key, type] as const),
  ),
  [ATTR.evaluationScoreValue, 'double'],
  [ATTR.snapshotSeq, 'int'],
  [ATTR.heartbeatIntervalMs, 'int'],
])

/** The type that an attribute had before a store made text of it; undefined for a key that is not planspan's. */
export const attributeType = (key: string): AttributeType | undefined =>
  TYPES.get(key) ?? (key.startsWith(ATTR.childrenPrefix) ? 'int' : undefined)
