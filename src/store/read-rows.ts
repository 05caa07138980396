import { ATTR, EVENTS, type Role } from '../semconv/index.js'
import { querySql, streamBytes, type QueryTarget } from './query.js'

/** What a row holds beside its columns, as SQL over a `span`. */
interface Content {
  readonly resource: string
  readonly attributes: string
  readonly times: string
  readonly names: string
  readonly details: string
}

const WHOLE: Content = {
  resource: 'span.ResourceAttributes',
  attributes: 'span.SpanAttributes',
  times: 'span.`Events.Timestamp`',
  names: 'span.`Events.Name`',
  details: 'span.`Events.Attributes`',
}

/** Of these a long plan has many, and no other span takes over what they say. */
const MANY: readonly Role[] = ['think_act', 'llm', 'guardrail', 'tool']

const IS_MANY = `span.Role IN (${MANY.map((role) => `'${role}'`).join(', ')})`

/** Which of the spans that a plan has many of are whole nonetheless. */
const EXCEPT = {
  one: 'span.Span = {whole:String}',
  faults: `(span.StatusCode = 'Error' OR span.Role = 'guardrail' OR has(span.\`Events.Name\`, '${EVENTS.exception}'))`,
}

/** The characters of a value that are kept. */
const KEPT = 300

/** A call that a guardrail stopped is known from these alone. */
const TELLS_OF_CALLS = `key = '${ATTR.riskStoppedCalls}' OR (key = '${ATTR.outputMessages}' AND position(value, '"tool_call"') > 0)`

const BEGINNINGS = `mapApply((key, value) -> (key, if(length(value) > ${String(KEPT)} AND NOT (${TELLS_OF_CALLS}), substringUTF8(value, 1, ${String(KEPT)}), value)), span.SpanAttributes)`

function beginnings(except: string): Content {
  const shortened = (short: string, whole: string): string => `if(${IS_MANY} AND NOT ${except}, ${short}, ${whole})`
  return {
    resource: shortened('mapFilter((key, value) -> false, span.ResourceAttributes)', WHOLE.resource),
    attributes: shortened(BEGINNINGS, WHOLE.attributes),
    times: shortened('[]', WHOLE.times),
    names: shortened('[]', WHOLE.names),
    details: shortened('[]', WHOLE.details),
  }
}

const CONTENTS = { whole: WHOLE, one: beginnings(EXCEPT.one), faults: beginnings(EXCEPT.faults) }

/** How rows are read: whole, or of what a long plan has many the beginnings, except one span or what went wrong. */
export type RowsRead = { readonly rows: 'whole' | 'faults' } | { readonly rows: 'one'; readonly whole: string }

/** Streams the rows of traces. */
export function streamRows(
  target: QueryTarget,
  traceIds: readonly string[],
  { rows, ...parameters }: RowsRead = { rows: 'whole' },
): AsyncGenerator<Uint8Array, void, undefined> {
  const query = querySql('read_traces', { database: target.database, ...CONTENTS[rows] })
  return streamBytes(target, query, { traceIds, ...parameters })
}
