/**
 * A column of a row table: its ClickHouse type, and its meaning for views that select it. `Value` is the type of its
 * values in JSON.
 */
export interface RowColumn<Value> {
  readonly type: string
  readonly comment: string
  /** Never set: it carries the type. */
  readonly value?: Value
}

/** The columns of a row table by their names. */
export type RowColumns = Readonly<Record<string, RowColumn<unknown>>>

/** A row of a table with these columns. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends RowColumn<infer Value> ? Value : never
}

const as =
  <Value>(type: string) =>
  (comment: string): RowColumn<Value> => ({ type, comment })

/** Nanoseconds since the Unix epoch as ClickHouse reads a DateTime64(9): ten digits of seconds and nine decimals. */
export function dateTime(time: bigint): string {
  const digits = String(time).padStart(19, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}

export const text = as<string>('String')
export const word = as<string>('LowCardinality(String)')
export const words = as<readonly string[]>('Array(String)')
export const attributes = as<Readonly<Record<string, string>>>('Map(LowCardinality(String), String)')
export const flag = as<boolean>('Bool')
export const maybeFlag = as<boolean | null>('Nullable(Bool)')
export const count8 = as<number>('UInt8')
export const count16 = as<number>('UInt16')
export const count32 = as<number>('UInt32')
/** A sum that may be negative where a sender reports negative values. */
export const sum64 = as<number>('Int64')
export const maybeInt64 = as<number | null>('Nullable(Int64)')
export const maybeNumber = as<number | null>('Nullable(Float64)')
/** A time as `dateTime` writes it. */
export const time = as<string>('DateTime64(9)')
export const maybeTime = as<string | null>('Nullable(DateTime64(9))')
/** A 64-bit number as decimal text. */
export const big64 = as<string>('UInt64')
