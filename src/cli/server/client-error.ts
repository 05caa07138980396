import { ClientError } from '../../client/index.js'
import { PlanspanError, type PlanspanErrorCode } from '../../error.js'

/** What the server refused; everything else is the server's or the way's to it. */
const BY_STATUS: Readonly<Record<number, PlanspanErrorCode>> = { 400: 'usage', 404: 'not_found' }

/** An error with a failure of the client as one of planspan's own, in words for a command line; any other as it is. */
export function asPlanspanError(error: unknown): unknown {
  if (!(error instanceof ClientError)) return error
  const { problem, status, message, cause } = error
  if (problem) return new PlanspanError(BY_STATUS[status ?? 0] ?? 'store_unreachable', message)
  const advice = message.replace(/\bname another endpoint\.$/i, (words) =>
    words.replace(' endpoint', ' with --endpoint'),
  )
  return new PlanspanError(error.code === 'bad_headers' ? 'usage' : 'receiver_unreachable', advice, { cause })
}
