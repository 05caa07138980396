import { z } from 'zod'

/** A floating-point number as Python's json reads and writes it: NaN and the infinities too. */
export const floatSchema = z.custom<number>((value) => typeof value === 'number', {
  error: 'Invalid input: expected number',
})
