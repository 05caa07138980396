export { createRedactor } from './redactor.js'
export type { RedactOptions, Redactor } from './redactor.js'
