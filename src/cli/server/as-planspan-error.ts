import { ClientError } from '../../client/index.js'
import { PlanspanError, type PlanspanErrorCode } from '../../error.js'
import { TOKEN_HINT } from '../../base/token-hint.js'
import { tlsTrouble } from './tls-trouble.js'

/** The codes of requests that the server rejected; all other failures mean that it is unreachable. */
const BY_STATUS: Readonly<Record<number, PlanspanErrorCode>> = { 400: 'usage', 404: 'not_found' }

const OTHER_ENDPOINT = /\b(name another) endpoint\.$/i
/**
 * Converts a failure of the client to planspan's error, worded for the command line; returns other errors unchanged.
 */
export function asPlanspanError(error: unknown): unknown {
  const trouble = error instanceof Error ? tlsTrouble(error) : undefined
  if (trouble !== undefined) return new PlanspanError('receiver_unreachable', trouble, { cause: error })
  if (!(error instanceof ClientError)) return error
  const { code, problem, status, message, cause } = error
  if (problem) {
    const advice = code === 'unauthenticated' ? ` ${TOKEN_HINT}` : ''
    return new PlanspanError(BY_STATUS[status ?? 0] ?? 'store_unreachable', `${message}${advice}`)
  }
  const text = code === 'denied' ? `${message} ${TOKEN_HINT}` : message.replace(OTHER_ENDPOINT, '$1 with --endpoint.')
  return new PlanspanError(code === 'bad_headers' ? 'usage' : 'receiver_unreachable', text, { cause })
}
