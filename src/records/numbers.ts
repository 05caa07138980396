import { z } from 'zod'

/** A floating-point number as in Python's json, including NaN and infinities. */
export const floatSchema = z.custom<number>((value) => typeof value === 'number', {
  error: 'Invalid input: expected number',
})

/** A whole number of any size. Beyond 2^53 only the record's text contains all digits. */
export const integerSchema = z
  .number()
  .refine(Number.isInteger, { error: 'Invalid input: expected int, received number', abort: true })
