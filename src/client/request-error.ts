import type { ImportReport, Problem } from '../wire/index.js'

/** A server's error response: an RFC 9457 problem; for a rejected import also the report. */
export type ServerProblem = Problem & Partial<ImportReport>

/** The properties of a failure. */
export interface ClientErrorOptions {
  readonly endpoint: string
  readonly code: string
  readonly detail: string
  readonly status?: number | undefined
  readonly problem?: ServerProblem
  readonly cause?: unknown
}

/** Any failure of a request. Its message says what happened, with what, and what to do; it never contains a token. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /**
   * The kind of failure. The server's own code, such as `usage`, `not_found` or `store_unreachable`; or one of:
   * `unreachable`: nothing responds; `timeout`: no response in time; `broken_off`: an incomplete response;
   * `redirected`: a redirect to another address; `denied`: a proxy in front of planspan requires a token, or another
   * one; `not_planspan`: a response that is not planspan's;
   * `bad_endpoint`, `bad_headers`: the client's endpoint, token or headers are invalid.
   */
  readonly code: string
  /** The status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** The problem's type; `about:blank` if the code and the status describe it. */
  readonly type: string
  /** What happened, in the server's words if available. Equals the message. */
  readonly detail: string
  /** The endpoint of the request. */
  readonly endpoint: string
  /** The whole problem, if the server responded with one. */
  readonly problem: ServerProblem | undefined

  constructor({ endpoint, code, detail, status, problem, cause }: ClientErrorOptions) {
    super(detail, cause === undefined ? undefined : { cause })
    this.endpoint = endpoint
    this.code = code
    this.detail = detail
    this.status = status
    this.problem = problem
    this.type = problem?.type ?? 'about:blank'
  }
}

/** Creates the error for a server that does not respond. */
export const unreachable = (endpoint: string, cause: unknown): ClientError =>
  new ClientError({
    endpoint,
    code: 'unreachable',
    detail: `No planspan server responds at ${endpoint} (${reasonOf(cause)}). Start one with \`planspan serve\`, or name another endpoint.`,
    cause,
  })

/** Creates the error for an incomplete response. */
export const brokenOff = (endpoint: string, what: string, cause?: unknown): ClientError =>
  new ClientError({
    endpoint,
    code: 'broken_off',
    detail: `${what} from ${endpoint} broke off${cause === undefined ? '' : ` (${reasonOf(cause)})`}. Request it again.`,
    cause,
  })

const DENIED: ReadonlySet<number> = new Set([401, 403, 407])

/** Creates the error for a missing or invalid token. */
const denied = (endpoint: string, status: number): ClientError =>
  new ClientError({
    endpoint,
    status,
    code: 'denied',
    detail: `${endpoint} requires a valid token (status ${String(status)}). Pass the token of this server.`,
  })

/** Creates the error for a response that is not planspan's. */
export function notPlanspan(endpoint: string, status: number): ClientError {
  if (DENIED.has(status)) return denied(endpoint, status)
  const detail = `The server at ${endpoint} is not a planspan server (status ${String(status)}). Name another endpoint.`
  return new ClientError({ endpoint, status, code: 'not_planspan', detail })
}

/** Returns the reason of a failure: a system code such as ECONNREFUSED, else a message. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return reason instanceof Error ? String(('code' in reason && reason.code) || reason.message) : String(reason)
}
