export { redactRecordSpan } from './redact-record-span.js'
export { createRedactor, redactedFields } from './redactor.js'
export type { RedactOptions, Redactor } from './redactor.js'
