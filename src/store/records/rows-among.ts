import { ATTR, isOver, PENDING, type Role, STATES } from '../../semconv/index.js'
import { fillSql, readSql, listLiteral, literal } from '../client/sql-file.js'
import { attributeText } from '../schema/stored-columns.js'

/** Of how many rows on a trace is long. */
const LONG = 2_000

const TOP: readonly Role[] = ['plan', 'planning', 'agent', 'wait']

/** Of long traces the rows of what stands on top: of outermost plans, their plannings, agents and waits. */
export const ON_TOP = [
  `span.Role IN ${listLiteral(TOP)}`,
  `${attributeText(ATTR.planId)} = ${attributeText(ATTR.planRootId)}`,
  `(SELECT count() >= ${String(LONG)} FROM \${database}.otel_traces WHERE \${in_places})`,
].join(' AND ')

const UNENDED = STATES.filter((state) => !isOver(state))

const NEAR = fillSql(readSql('fragments/near_span.sql').trimEnd(), {
  is_settled: `SpanId = {spanId:String} AND SpanState != ${literal(PENDING)} AND State NOT IN ${listLiteral(UNENDED)}`,
})

/** The rows of a span `{spanId:String}` and of those that tell anything of it; all where that may be any. */
export const NEAR_SPAN = `(empty((${NEAR} AS near).1) OR has(near.1, Span) OR (near.2 != '' AND Parent = near.2))`
