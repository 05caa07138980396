import type { FieldValue } from '../../semconv/index.js'

/** Values without an option in the live API, which accepts every name of the role's field table. */
export const fieldValues = (values: Readonly<Record<string, FieldValue | undefined>>): object => values
