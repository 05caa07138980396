/** Returns the sum of the defined values. Undefined without any. */
export const sumOf = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((sum, value) => (value === undefined ? sum : (sum ?? 0) + value), undefined)

/** Returns the highest of the defined values. Undefined without any. */
export const highest = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((most, value) => (value === undefined || (most ?? value) > value ? most : value), undefined)
