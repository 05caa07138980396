/** The sum of the values that are told; undefined where none is. */
export const sumOf = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((sum, value) => (value === undefined ? sum : (sum ?? 0) + value), undefined)

/** The highest of them. */
export const highest = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((most, value) => (value === undefined || (most ?? value) > value ? most : value), undefined)
