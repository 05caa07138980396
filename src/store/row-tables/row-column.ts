/** A column of a row table: its ClickHouse type, its meaning, and how its values are written as JSON. */
export interface RowColumn<Value> {
  readonly type: string
  readonly comment: string
  readonly toJson: (value: Value) => unknown
}

/** The columns of a row table by their names. */
export type RowColumns = Readonly<Record<string, RowColumn<never>>>

/** A row of a table with these columns. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends RowColumn<infer Value> ? Value : never
}

const as =
  <Value>(type: string, toJson: (value: Value) => unknown = (value) => value) =>
  (comment: string): RowColumn<Value> => ({ type, comment, toJson })

const NANOSECONDS = 1_000_000_000n

/** Nanoseconds since the Unix epoch as ClickHouse reads a DateTime64(9): seconds with nine decimals. */
const toTime = (time: bigint): string => `${String(time / NANOSECONDS)}.${String(time % NANOSECONDS).padStart(9, '0')}`

export const text = as<string>('String')
export const word = as<string>('LowCardinality(String)')
export const words = as<readonly string[]>('Array(String)')
export const attributes = as<Readonly<Record<string, string>>>('Map(LowCardinality(String), String)')
export const flag = as<boolean>('Bool')
export const maybeFlag = as<boolean | undefined>('Nullable(Bool)', (value) => value ?? null)
export const count8 = as<number>('UInt8')
export const count16 = as<number>('UInt16')
export const count32 = as<number>('UInt32')
/** A sum that may be negative where a sender reports negative values. */
export const sum64 = as<number>('Int64')
export const maybeNumber = as<number | undefined>('Nullable(Float64)', (value) => value ?? null)
/** Nanoseconds since the Unix epoch. */
export const time = as<bigint>('DateTime64(9)', toTime)
export const maybeTime = as<bigint | undefined>('Nullable(DateTime64(9))', (value) =>
  value === undefined ? null : toTime(value),
)
/** A 64-bit number, in nanoseconds or without a unit. */
export const big64 = as<bigint>('UInt64', String)
export const maybeBig64 = as<bigint | undefined>('Nullable(Int64)', (value) =>
  value === undefined ? null : String(value),
)
