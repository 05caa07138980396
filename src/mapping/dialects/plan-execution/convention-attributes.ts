import { adoptedFields, ATTR, type Role } from '../../../semconv/index.js'
import { sourcesOf } from '../../adopt/index.js'
import { conventionType } from '../../conventions/index.js'
import { HOMES } from '../../record-object/index.js'
import type { SpanNode } from '../../tree/index.js'

/**
 * Returns the attributes of another instrumentation's span that the GenAI conventions define and planspan has no field
 * for. Undefined without such attributes.
 */
export function conventionAttributes({ role, span }: SpanNode): Readonly<Record<string, string>> | undefined {
  if (role === undefined || span.attributes[adoptedFields.convention.key] === undefined) return undefined
  const mapped = mappedKeys(role)
  const found = Object.entries(span.attributes).filter(([key]) => conventionType(key) !== undefined && !mapped.has(key))
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

const MAPPED = new Map<Role, ReadonlySet<string>>()

/** The keys of a role's own fields, and those that adoption reads for it. */
function mappedKeys(role: Role): ReadonlySet<string> {
  let keys = MAPPED.get(role)
  if (!keys) {
    const read = Object.values(sourcesOf(role)).flat()
    keys = new Set([
      ATTR.operationName,
      ...Object.values(HOMES[role]).map(({ key }) => key),
      ...read.filter((place) => typeof place === 'string'),
    ])
    MAPPED.set(role, keys)
  }
  return keys
}
