import { ClientError } from '../../client/index.js'
import { PlanspanError, type PlanspanErrorCode } from '../../error.js'
import { TOKEN_HINT } from '../../token-hint.js'
import { tlsTrouble } from './tls-trouble.js'

/** What the server refused; everything else is the server's or the way's to it. */
const BY_STATUS: Readonly<Record<number, PlanspanErrorCode>> = { 400: 'usage', 404: 'not_found' }

const OTHER_ENDPOINT = /\b(name another) endpoint\.$/i
/** An error with a failure of the client as one of planspan's own, in words for a command line; any other as it is. */
export function asPlanspanError(error: unknown): unknown {
  const trouble = error instanceof Error ? tlsTrouble(error) : undefined
  if (trouble !== undefined) return new PlanspanError('receiver_unreachable', trouble, { cause: error })
  if (!(error instanceof ClientError)) return error
  const { code, problem, status, message, cause } = error
  if (problem) {
    const advice = code === 'unauthenticated' ? ` ${TOKEN_HINT}` : ''
    return new PlanspanError(BY_STATUS[status ?? 0] ?? 'store_unreachable', `${message}${advice}`)
  }
  const told = code === 'denied' ? `${message} ${TOKEN_HINT}` : message.replace(OTHER_ENDPOINT, '$1 with --endpoint.')
  return new PlanspanError(code === 'bad_headers' ? 'usage' : 'receiver_unreachable', told, { cause })
}
