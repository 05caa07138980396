/** Grafana's field types. */
export type FieldType = 'time' | 'number' | 'string' | 'boolean' | 'other'

/** A column of a query's result. Times are milliseconds since 1970. */
export interface Field {
  readonly name: string
  readonly type: FieldType
  /** ClickHouse's type; empty for a generated column. */
  readonly columnType: string
  readonly labels?: Readonly<Record<string, string>>
  readonly values: readonly unknown[]
}

/** The result of a query, as a panel receives it. */
export interface Frame {
  readonly refId: string
  readonly fields: readonly Field[]
  readonly length: number
}

const WRAPPER = /^(?:Nullable|LowCardinality|SimpleAggregateFunction\(\w+,)\(?(.*)\)$/

const TYPES: readonly (readonly [RegExp, FieldType])[] = [
  [/^Date/, 'time'],
  [/^(?:U?Int\d+|B?Float\d+|Decimal)/, 'number'],
  [/^Bool/, 'boolean'],
  [/^(?:String|FixedString|Enum|UUID|IPv)/, 'string'],
]

/** Returns the field type that the plugin assigns to a ClickHouse type. */
export function fieldType(columnType: string): FieldType {
  const inner = WRAPPER.exec(columnType)?.[1]
  if (inner !== undefined) return fieldType(inner.trim())
  return TYPES.find(([pattern]) => pattern.test(columnType))?.[1] ?? 'other'
}

/** Converts ClickHouse's JSONCompact to a frame. Times are parsed as UTC. */
export function toFrame(refId: string, answer: JsonCompact): Frame {
  const fields = answer.meta.map(({ name, type: columnType }, at): Field => {
    const type = fieldType(columnType)
    return { name, type, columnType, values: answer.data.map((row) => fieldValue(type, row[at])) }
  })
  return { refId, fields, length: answer.data.length }
}

/** The output of `FORMAT JSONCompact`. */
export interface JsonCompact {
  readonly meta: readonly { readonly name: string; readonly type: string }[]
  readonly data: readonly (readonly unknown[])[]
}

function fieldValue(type: FieldType, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (type === 'time')
    return Date.parse(`${String(value).replace(' ', 'T').slice(0, 23)}${String(value).length > 10 ? 'Z' : ''}`)
  return type === 'number' ? Number(value) : value
}

/**
 * Converts rows to one series per combination of the text columns, which become its labels. Missing points are null, as
 * in the plugin's time series format.
 */
export function longToWide(frame: Frame): Frame {
  const time = frame.fields.find(({ type }) => type === 'time')
  const numbers = frame.fields.filter(({ type }) => type === 'number')
  const texts = frame.fields.filter(({ type }) => type === 'string')
  if (!time || texts.length === 0) return frame
  const times = [...new Set(time.values)]
  const rowAt = new Map(times.map((value, row) => [value, row]))
  const series = new Map<string, { field: Field; values: unknown[] }>()
  for (let row = 0; row < frame.length; row++) {
    const labels = Object.fromEntries(texts.map(({ name, values }) => [name, String(values[row])]))
    for (const number of numbers) {
      const key = JSON.stringify([number.name, labels])
      const found = series.get(key) ?? { field: { ...number, labels }, values: times.map(() => null) }
      found.values[rowAt.get(time.values[row]) ?? 0] = number.values[row]
      series.set(key, found)
    }
  }
  const sorted = [...series.entries()].sort(([left], [right]) => (left < right ? -1 : 1))
  return {
    refId: frame.refId,
    length: times.length,
    fields: [{ ...time, values: times }, ...sorted.map(([, { field, values }]) => ({ ...field, values }))],
  }
}
