import { z } from 'zod'

/** A floating-point number as Python's json reads and writes it: NaN and the infinities too. */
export const floatSchema = z.custom<number>((value) => typeof value === 'number', {
  error: 'Invalid input: expected number',
})

/** A whole number of any size; beyond 2^53 only the record's text has all of its digits. */
export const integerSchema = z
  .number()
  .refine(Number.isInteger, { error: 'Invalid input: expected int, received number', abort: true })
