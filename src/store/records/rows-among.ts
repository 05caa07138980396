import { ATTR, isOver, PENDING, type Role, STATES } from '../../semconv/index.js'
import { fillSql, readSql, listLiteral, literal } from '../client/sql-file.js'
import { attributeText } from '../schema/stored-columns.js'

/** The number of rows from which a trace is long. */
const LONG = 2_000

const TOP: readonly Role[] = ['plan', 'planning', 'agent', 'wait']

/** Selects outermost plans with their plannings, agents and waits, in long traces only. */
export const ON_TOP = [
  `span.Role IN ${listLiteral(TOP)}`,
  `${attributeText(ATTR.planId)} = ${attributeText(ATTR.planRootId)}`,
  `(SELECT count() >= ${String(LONG)} FROM \${database}.otel_traces WHERE \${in_places})`,
].join(' AND ')

const UNENDED = STATES.filter((state) => !isOver(state))

const NEAR = fillSql(readSql('fragments/near_span.sql').trimEnd(), {
  is_settled: `SpanId = {spanId:String} AND SpanState != ${literal(PENDING)} AND State NOT IN ${listLiteral(UNENDED)}`,
})

/** Selects a span `{spanId:String}` and the spans that describe it; all spans if any might. */
export const NEAR_SPAN = `(empty((${NEAR} AS near).1) OR has(near.1, Span) OR (near.2 != '' AND Parent = near.2))`
