import { z } from 'zod'

/** A floating-point number as in Python's json, including NaN and infinities. */
export const floatSchema = z.custom<number>((value) => typeof value === 'number', {
  error: 'Invalid input: expected number',
})

/** A whole number of any size. Beyond 2^53 only the record's text contains all digits. */
export const integerSchema = z
  .number()
  .refine(Number.isInteger, { error: 'Invalid input: expected int, received number', abort: true })

/** Texts that Python's `int` reads: digits, optionally with zeros after a point. It rejects longer texts. */
const INTEGER = /^[+-]?(?:\d+(?:_\d+)*|\d+\.0+)$/
const MAX_DIGITS = 4300
/** Texts that Python's `float` reads. */
const DIGITS = String.raw`\d+(?:_\d+)*`
const FLOAT = new RegExp(String.raw`^[+-]?(?:(?:${DIGITS}\.?(?:${DIGITS})?|\.${DIGITS})(?:e[+-]?${DIGITS})?)$`, 'i')
const SPECIAL = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i

/** Floating-point numbers from here on are no integers for pydantic. */
const MAX_FLOAT = 2 ** 63

function readInteger(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'bigint') return finite(Number(value))
  if (typeof value === 'number' && Math.abs(value) >= MAX_FLOAT) return Number.NaN
  const text = typeof value === 'string' ? value.trim() : ''
  return INTEGER.test(text) && text.length <= MAX_DIGITS ? finite(Number(text.replaceAll('_', ''))) : value
}

/** Integers have any size. */
const finite = (number: number): number => Math.min(Math.max(number, -Number.MAX_VALUE), Number.MAX_VALUE)

function readFloat(value: unknown): unknown {
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value)
  const text = typeof value === 'string' ? value.trim() : ''
  const special = SPECIAL.exec(text)
  if (special) return special[2] === undefined ? Number.NaN : Number(`${special[1] ?? ''}Infinity`)
  return FLOAT.test(text) ? Number(text.replaceAll('_', '')) : value
}

const WORDS: ReadonlyMap<unknown, boolean> = new Map([
  ...['1', 't', 'true', 'y', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'f', 'false', 'n', 'no', 'off'].map((word) => [word, false] as const),
])

function readBoolean(value: unknown): unknown {
  if (value === 0 || value === 1) return value === 1
  return typeof value === 'string' ? (WORDS.get(value.toLowerCase()) ?? value) : value
}

/**
 * A whole number as pydantic reads it in its default lax mode: texts and booleans become numbers.
 * @see https://docs.pydantic.dev/latest/concepts/conversion_table/
 */
export const laxInteger = (minimum = Number.NEGATIVE_INFINITY) => z.preprocess(readInteger, integerSchema.min(minimum))

/** A number as pydantic reads it: texts and booleans become numbers. Without limits, NaN and infinities are valid. */
export const laxFloat = ({
  min,
  max = Number.POSITIVE_INFINITY,
}: { readonly min?: number; readonly max?: number } = {}) =>
  z.preprocess(
    readFloat,
    min === undefined
      ? floatSchema
      : floatSchema.refine((number) => number >= min && number <= max, `Invalid input: expected ${min} to ${max}`),
  )

/** A boolean as pydantic reads it: some words, 0 and 1 become booleans. */
export const laxBoolean = z.preprocess(readBoolean, z.boolean())

/** A date, optionally followed by a time of minutes or more and an offset. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt _](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)(Z|[+\-\u2212]\d\d:?\d\d)?)?$/i
/** Only a number with a point may have an exponent. */
const UNIX = /^[+-]?(?:\d+(?:\.\d*(?:e[+-]?\d+)?)?|\.\d+(?:e[+-]?\d+)?)$/i
const strictTime = z.iso.datetime({ local: true, offset: true })

function isTimeText(text: string): boolean {
  if (UNIX.test(text)) return isUnixTime(Number(text))
  const [, date = '', time = '00:00', zone = ''] = TIME.exec(text) ?? []
  const offset = zone
    .toUpperCase()
    .replace('\u2212', '-')
    .replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  return !date.startsWith('0000') && strictTime.safeParse(`${date}T${time.replace(',', '.')}${offset}`).success
}

/** Larger numbers are milliseconds. */
const MAX_SECONDS = 2e10
const [FIRST, END] = [-62_135_596_800_000, 253_402_300_800_000]

function isUnixTime(time: number): boolean {
  const milliseconds = Math.abs(time) <= MAX_SECONDS ? time * 1000 : time
  return milliseconds >= FIRST && milliseconds < END
}

/**
 * A time as pydantic reads it: ISO 8601, also with a space instead of the `T`, a date alone, or an offset without a
 * colon; Unix seconds or milliseconds, as a number or text.
 */
export const laxTime = z
  .union([z.string(), z.number()])
  .refine((time) => (typeof time === 'string' ? isTimeText(time) : isUnixTime(time)), 'Invalid ISO datetime')
