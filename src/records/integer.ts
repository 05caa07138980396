import { z } from 'zod'

/** A whole number of any size; beyond 2^53 only the record's text has all of its digits. */
export const integerSchema = z
  .number()
  .refine(Number.isInteger, { error: 'Invalid input: expected int, received number', abort: true })
