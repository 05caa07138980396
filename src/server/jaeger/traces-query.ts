import { create } from '@bufbuild/protobuf'

import { PlanspanError } from '../../error.js'
import type { SearchColumn, TraceQuery } from '../../store/index.js'
import { storedTexts } from './span-attributes.js'
import { TraceQueryParametersSchema, type TraceQueryParameters } from './storage_pb.js'
import { fromDuration, fromTimestamp } from './timestamps.js'

/** The default number of traces to find, as in Jaeger's API. */
const DEFAULT_DEPTH = 100
/** The maximum number of traces to find, as in Jaeger's ClickHouse storage. */
const MAX_DEPTH = 10_000

/** Tags in Jaeger that are not attributes in OTLP, and their columns. */
const TAG_COLUMNS: ReadonlyMap<string, SearchColumn> = new Map([
  ['span.kind', 'SpanKind'],
  ['otel.status_code', 'StatusCode'],
  ['otel.status_description', 'StatusMessage'],
  ['otel.scope.name', 'ScopeName'],
  ['otel.scope.version', 'ScopeVersion'],
  ['w3c.tracestate', 'TraceState'],
])
/** Columns whose values Jaeger writes in lower or upper case, and the store capitalized (`Client`, `Error`). */
const CAPITALIZED: ReadonlySet<SearchColumn> = new Set(['SpanKind', 'StatusCode'])
const ERROR_TAG = 'error'

/** Converts Jaeger's search to the store's; '' and 0 mean no condition. Throws `usage` for unsupported conditions. */
export function toTraceQuery(parameters: TraceQueryParameters = create(TraceQueryParametersSchema)): TraceQuery {
  const { serviceName, operationName, searchDepth, filter } = parameters
  const since = fromTimestamp(parameters.startTimeMin)
  const until = fromTimestamp(parameters.startTimeMax)
  const minDuration = fromDuration(parameters.durationMin)
  const maxDuration = fromDuration(parameters.durationMax)
  if (filter) {
    throw new PlanspanError('usage', 'Structured filters are not supported. Search by service, operation and tags.')
  }
  if (searchDepth < 0) {
    throw new PlanspanError('usage', `The search depth is a number from 1 on, not ${String(searchDepth)}.`)
  }
  if (since !== undefined && until !== undefined && since > until) {
    throw new PlanspanError('usage', 'The search starts later than it ends. Swap the two times.')
  }
  return {
    ...(serviceName === '' ? {} : { service: serviceName }),
    ...(operationName === '' ? {} : { spanName: operationName }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(minDuration === undefined ? {} : { minDuration }),
    ...(maxDuration === undefined ? {} : { maxDuration }),
    ...tagConditions(storedTexts(parameters.attributes)),
    limit: Math.min(searchDepth === 0 ? DEFAULT_DEPTH : searchDepth, MAX_DEPTH),
  }
}

function tagConditions(tags: ReadonlyMap<string, string>): Pick<TraceQuery, 'columns' | 'failed' | 'attributes'> {
  const columns = new Map<SearchColumn, string>()
  const attributes = new Map<string, string>()
  let failed: boolean | undefined
  for (const [key, text] of tags) {
    const column = TAG_COLUMNS.get(key)
    if (key === ERROR_TAG && (text === 'true' || text === 'false')) failed = text === 'true'
    else if (column) columns.set(column, CAPITALIZED.has(column) ? capitalize(text) : text)
    else attributes.set(key, text)
  }
  return { columns, attributes, ...(failed === undefined ? {} : { failed }) }
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

/** Jaeger's span kind → the stored one; '' stays ''. */
export const toStoredKind = capitalize

/** The stored span kind → Jaeger's, '' for none. */
export const toJaegerKind = (kind: string): string => (kind === 'Unspecified' ? '' : kind.toLowerCase())
