/** The columns that a search can compare with a value. */
export type SearchColumn = 'SpanKind' | 'StatusCode' | 'StatusMessage' | 'ScopeName' | 'ScopeVersion' | 'TraceState'

/** The conditions that a single span of a trace has to meet. Times are Unix nanoseconds, durations nanoseconds. */
export interface TraceQuery {
  readonly service?: string
  readonly spanName?: string
  readonly columns?: ReadonlyMap<SearchColumn, string>
  /** Whether its status is an error. */
  readonly failed?: boolean
  /** Attributes of the span or its resource, with their values as stored text. */
  readonly attributes?: ReadonlyMap<string, string>
  /** The earliest start of the span. */
  readonly since?: bigint
  /** The end of the range of starts, exclusive. */
  readonly until?: bigint
  readonly minDuration?: bigint
  readonly maxDuration?: bigint
  /** The largest number of traces to find. */
  readonly limit: number
}

/** A query, except for its times, as an SQL condition and its parameters. */
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
    // The stored duration wraps around if a span ends before it starts.
    ...(minDuration === undefined ? [] : [`toInt64(Duration) >= ${String(minDuration)}`]),
    ...(maxDuration === undefined ? [] : [`toInt64(Duration) <= ${String(maxDuration)}`]),
    ...[...attributes].map(([key, text]) => attributeCondition(value(key), value(text), text === '')),
  ]
  return { where: conditions.join(' AND ') || '1', params }
}

/** A plain equality, which is what uses the indexes over keys and values; for '' it would also match a missing key. */
const attributeCondition = (key: string, text: string, isEmpty: boolean): string =>
  `(${['SpanAttributes', 'ResourceAttributes']
    .map((map) => `${isEmpty ? `mapContains(${map}, ${key}) AND ` : ''}${map}[${key}] = ${text}`)
    .join(' OR ')})`
