import type { FieldValue } from '../../semconv/index.js'

type Values = Readonly<Record<string, FieldValue | undefined>>

/**
 * Values without an option in the live API, which accepts every name of the role's field table. A live span's id, state
 * and errors are its own.
 */
export const fieldValues = ({ recordId: _id, status: _status, errorMessage: _error, ...values }: Values): object =>
  values
