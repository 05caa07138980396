/** The replacement of a masked value. */
export const MARKER = '[REDACTED]'
