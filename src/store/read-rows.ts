import { ATTR, type Role } from '../semconv/index.js'
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

const IS_SHORT = `span.Role IN (${MANY.map((role) => `'${role}'`).join(', ')}) AND span.Span != {whole:String}`

/** The characters of a value that are kept. */
const KEPT = 300

/** A call that a guardrail stopped is known from these alone. */
const TELLS_OF_CALLS = `key = '${ATTR.riskStoppedCalls}' OR (key = '${ATTR.outputMessages}' AND position(value, '"tool_call"') > 0)`

const BEGINNINGS = `mapApply((key, value) -> (key, if(length(value) > ${String(KEPT)} AND NOT (${TELLS_OF_CALLS}), substringUTF8(value, 1, ${String(KEPT)}), value)), span.SpanAttributes)`

const shortened = (short: string, whole: string): string => `if(${IS_SHORT}, ${short}, ${whole})`

const BEGINNING: Content = {
  resource: shortened('mapFilter((key, value) -> false, span.ResourceAttributes)', WHOLE.resource),
  attributes: shortened(BEGINNINGS, WHOLE.attributes),
  times: shortened('[]', WHOLE.times),
  names: shortened('[]', WHOLE.names),
  details: shortened('[]', WHOLE.details),
}

/** Streams the rows of traces, whole or short: of what a long plan has many of the beginnings, but for one span. */
export function streamRows(
  target: QueryTarget,
  traceIds: readonly string[],
  short?: { readonly whole: string },
): AsyncGenerator<Uint8Array, void, undefined> {
  const content = short ? BEGINNING : WHOLE
  const query = querySql('read_traces', { database: target.database, ...content })
  return streamBytes(target, query, { traceIds, ...short })
}
