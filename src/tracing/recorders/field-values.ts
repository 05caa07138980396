import type { FieldValue } from '../../semconv/index.js'

type Values = Readonly<Record<string, FieldValue | undefined>>

/**
 * Returns the values that the live API accepts although its options do not name them: every field of the role's table,
 * without the id, the state and the errors, which a live span sets itself.
 */
export const fieldValues = ({ recordId: _id, status: _status, errorMessage: _error, ...values }: Values): object =>
  values
