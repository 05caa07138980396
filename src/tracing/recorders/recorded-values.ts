import { everySpanFields, ROLE_FIELDS, ROLES, type Role } from '../../semconv/index.js'
import { recordedFields, type LiveFields } from '../live-fields.js'
import type { LiveSpan } from '../live-span.js'

const { recordId, status, errorType, errorMessage } = everySpanFields

const FIELDS = Object.fromEntries(
  ROLES.map((role) => [role, recordedFields({ ...ROLE_FIELDS[role], recordId, status, errorType, errorMessage })]),
) as Record<Role, LiveFields>

/** Writes values that a dialect has read from a system's data. */
export const writeRecorded = (span: LiveSpan, role: Role, values: object): void =>
  span.write(values, undefined, FIELDS[role])
