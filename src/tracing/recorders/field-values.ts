import type { FieldValue } from '../../semconv/index.js'

/** Values that the live API has no option for: it takes whatever has a name of the role's field table. */
export const fieldValues = (values: Readonly<Record<string, FieldValue | undefined>>): object => values
