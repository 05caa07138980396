import { errorTextOf, isUnfinished, type PlacedSpan, stateTextOf, usageRoleOf } from '../../mapping/index.js'
import { ATTR, type StoredSpan, UNTYPED_ERROR } from '../../semconv/index.js'
import { BULK_ROLES } from '../../store/index.js'
import { parentIdOf } from './json-values.js'

const BULK: ReadonlySet<string | undefined> = new Set(BULK_ROLES)

/** Whether a span is a cycle, a model call or a tool call. */
export const isBulk = ({ node }: PlacedSpan): boolean => BULK.has(node.role)

/** Returns the class of an error; empty if the span names none. */
const typeOf = ({ [ATTR.errorType]: type = '' }: StoredSpan['attributes']): string =>
  type === UNTYPED_ERROR ? '' : type

/**
 * Whether the row of a span in `otel_traces` describes it, so that it needs no row in `span_rows`: it is an ended
 * cycle, model call or tool call of planspan, and its stored values equal those that the mapping decides. The views
 * read the columns of that row.
 */
export function isDescribedByStoredRow(placed: PlacedSpan, stored: StoredSpan | undefined): boolean {
  const { node, plan } = placed
  const { span, role } = node
  if (!isBulk(placed) || isUnfinished(node) || !stored || span.attributes !== stored.attributes) return false
  const { attributes, statusCode, statusMessage } = stored
  const hasFailed = statusCode === 'ERROR'
  return (
    attributes[ATTR.spanKind] === role &&
    attributes[ATTR.planId] === plan.planId &&
    (attributes[ATTR.planRootId] ?? plan.planId) === plan.rootPlanId &&
    parentIdOf(node) === stored.parentSpanId &&
    stateTextOf(node) === (attributes[ATTR.state] || (hasFailed ? 'failed' : 'completed')) &&
    errorTextOf(node) === (attributes[ATTR.errorMessage] || (hasFailed && statusMessage) || typeOf(attributes)) &&
    (role !== 'llm' || usageRoleOf(node) === (attributes[ATTR.usageSource] || 'agent'))
  )
}
