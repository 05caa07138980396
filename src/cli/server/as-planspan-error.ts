import { TOKEN_HINT } from '../../base/advice.js'
import { ClientError } from '../../client/index.js'
import { PlanspanError, type PlanspanErrorCode } from '../../error.js'

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

const UNKNOWN_AUTHORITY =
  'the authority of its certificate is unknown here. Name a file with that authority’s certificate in NODE_EXTRA_CA_CERTS'
const NO_TLS = 'it does not use TLS. Begin its address with http://'

const WORDS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for other names. Use one of these in the endpoint, or give it a certificate for this name',
  CERT_HAS_EXPIRED: 'its certificate has expired. Replace it with a newer one, or set this machine’s clock',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet. Set this machine’s clock, or replace the certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
}

/** Explains a TLS failure of a request and what to do; undefined for other failures. */
function tlsTrouble(failure: Error): string | undefined {
  // fetch throws an error whose cause has the code.
  const { cause } = failure.cause instanceof Error ? failure.cause : failure
  const { code = '' }: NodeJS.ErrnoException = cause instanceof Error ? cause : failure
  const words = WORDS[code]
  return words === undefined ? undefined : `The server responds, but ${words} (${code}).`
}
