import { PlanspanError } from '../../error.js'
import type { SentError } from './worker-messages.js'

/** An error as data that another thread can be sent. */
export const toSentError = (error: unknown): SentError => ({
  code: error instanceof PlanspanError ? error.code : undefined,
  message: error instanceof Error ? error.message : String(error),
  stack: error instanceof Error ? error.stack : undefined,
})

/** The error that another thread sent. */
export function fromSentError({ code, message, stack }: SentError): Error {
  if (code !== undefined) return new PlanspanError(code, message)
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}
