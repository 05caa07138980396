/** Columns that a search may ask for by value. */
export type SearchColumn = 'SpanKind' | 'StatusCode' | 'StatusMessage' | 'ScopeName' | 'ScopeVersion' | 'TraceState'

/** What one span of a trace must be, all of it. Times are nanoseconds since the Unix epoch, durations nanoseconds. */
export interface TraceQuery {
  readonly service?: string
  readonly spanName?: string
  readonly columns?: ReadonlyMap<SearchColumn, string>
  /** Whether its status is an error. */
  readonly failed?: boolean
  /** Attributes of the span or its resource, by the text that is stored for the value. */
  readonly attributes?: ReadonlyMap<string, string>
  /** It starts at this time or later. */
  readonly since?: bigint
  /** It starts before this time. */
  readonly until?: bigint
  readonly minDuration?: bigint
  readonly maxDuration?: bigint
  /** How many traces to find. */
  readonly limit: number
}

/** A query but for its times as a condition in SQL, and the values in it. */
export function conditionOf(query: TraceQuery): { where: string; params: Record<string, string> } {
  const params: Record<string, string> = {}
  const value = (text: string): string => {
    const name = `value${String(Object.keys(params).length)}`
    params[name] = text
    return `{${name}:String}`
  }
  const { service, spanName, columns = new Map(), failed, attributes = new Map(), minDuration, maxDuration } = query
  const conditions = [
    ...(service === undefined ? [] : [`ServiceName = ${value(service)}`]),
    ...(spanName === undefined ? [] : [`SpanName = ${value(spanName)}`]),
    ...[...columns].map(([column, text]) => `${column} = ${value(text)}`),
    ...(failed === undefined ? [] : [`StatusCode ${failed ? '=' : '!='} 'Error'`]),
    // A duration wraps when a span ends before it starts.
    ...(minDuration === undefined ? [] : [`toInt64(Duration) >= ${String(minDuration)}`]),
    ...(maxDuration === undefined ? [] : [`toInt64(Duration) <= ${String(maxDuration)}`]),
    ...[...attributes].map(([key, text]) => attributeCondition(value(key), value(text), text === '')),
  ]
  return { where: conditions.join(' AND ') || '1', params }
}

/** Equality alone uses the indexes over keys and values; it is also true of a missing key when the text is empty. */
const attributeCondition = (key: string, text: string, isEmpty: boolean): string =>
  `(${['SpanAttributes', 'ResourceAttributes']
    .map((map) => `${isEmpty ? `mapContains(${map}, ${key}) AND ` : ''}${map}[${key}] = ${text}`)
    .join(' OR ')})`
