const COLUMNS = [
  'Timestamp',
  'TraceId',
  'SpanId',
  'ParentSpanId',
  'TraceState',
  'SpanName',
  'SpanKind',
  'ServiceName',
  'ResourceAttributes',
  'ScopeName',
  'ScopeVersion',
  'SpanAttributes',
  'Duration',
  'StatusCode',
  'StatusMessage',
  'Events.Timestamp',
  'Events.Name',
  'Events.Attributes',
  'Links.TraceId',
  'Links.SpanId',
  'Links.TraceState',
  'Links.Attributes',
] as const

const TRACE_ID = COLUMNS.indexOf('TraceId')
const SPAN_ID = COLUMNS.indexOf('SpanId')

// Up to this length Go's sort, which orders a map's keys in the collector, is stable for equal keys.
const STABLE_UP_TO = 12

/** The differences between the rows of two writers, a line per value: the span, the column, both values. */
export function differences(writers: Readonly<Record<string, readonly (readonly unknown[])[]>>): string[] {
  const [[nameA, a], [nameB, b]] = Object.entries(writers) as [Writer, Writer]
  const others = new Map(b.map((row) => [idOf(row), row]))
  return [
    ...a.flatMap((row) => {
      const other = others.get(idOf(row))
      if (!other) return [`${idOf(row)}: only ${nameA} has it`]
      return COLUMNS.flatMap((column, index) => {
        const [left, right] = [row, other].map((values) => JSON.stringify(settled(values[index])))
        return left === right ? [] : [`${idOf(row)} ${column}: ${nameA} ${left}, ${nameB} ${right}`]
      })
    }),
    ...(a.length === b.length ? [] : [`${nameA} has ${a.length} rows, ${nameB} ${b.length}`]),
  ]
}

type Writer = [name: string, rows: readonly (readonly unknown[])[]]

/**
 * Normalizes what the collector leaves to chance: OTLP forbids duplicate keys in a map, and in a long map that has
 * them, Go's sort puts equal keys in any order.
 */
export function settled(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  if (!isMap(value)) return value.map(settled)
  const repeats = new Set(value.map(([key]) => key)).size < value.length
  return value.length > STABLE_UP_TO && repeats ? value.map((pair) => JSON.stringify(pair)).sort() : value
}

const isMap = (value: readonly unknown[]): value is [string, string][] =>
  value.length > 0 && value.every((pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string')

const idOf = (row: readonly unknown[]) => `${String(row[TRACE_ID])}/${String(row[SPAN_ID])}`
