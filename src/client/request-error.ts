import type { ImportReport, Problem } from '../wire/index.js'

/** What a server answers instead of what was asked for: an RFC 9457 problem; of a refused import also which records. */
export type ToldProblem = Problem & Partial<ImportReport>

/** What is known of a failure. */
export interface ClientErrorOptions {
  readonly endpoint: string
  readonly code: string
  readonly detail: string
  readonly status?: number | undefined
  readonly problem?: ToldProblem
  readonly cause?: unknown
}

/**
 * Every failure of a request, of whatever kind. Its message says what happened, with what, and what to do; no token is
 * ever in it.
 */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /**
   * What kind of failure it is: the server's own code, such as `usage`, `not_found` or `store_unreachable`; or
   * `unreachable`: nothing answers; `timeout`: not in time; `broken_off`: an answer that began has no end;
   * `redirected`: to a place that was not named; `denied`: what stands before planspan asks for a token, or for another
   * one; `not_planspan`: an answer that planspan does not give;
   * `bad_endpoint`, `bad_headers`: the client was given an endpoint, a token or headers that cannot be.
   */
  readonly code: string
  /** The status of the answer; undefined where there was none. */
  readonly status: number | undefined
  /** The problem's type, `about:blank` where the code and the status tell all. */
  readonly type: string
  /** What happened, in the server's words where it said so. The message is the same. */
  readonly detail: string
  /** The server that was asked. */
  readonly endpoint: string
  /** The whole problem, where the server answered with one. */
  readonly problem: ToldProblem | undefined

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

/** The error that nothing answers. */
export const unreachable = (endpoint: string, cause: unknown): ClientError =>
  new ClientError({
    endpoint,
    code: 'unreachable',
    detail: `No planspan server answers at ${endpoint} (${reasonOf(cause)}). Start one with \`planspan serve\`, or name another endpoint.`,
    cause,
  })

/** The error that an answer has no end. */
export const brokenOff = (endpoint: string, what: string, cause?: unknown): ClientError =>
  new ClientError({
    endpoint,
    code: 'broken_off',
    detail: `${what} from ${endpoint} broke off${cause === undefined ? '' : ` (${reasonOf(cause)})`}. Ask for it again.`,
    cause,
  })

const DENIED: ReadonlySet<number> = new Set([401, 403, 407])

/** The error that nobody is let in without another token. */
const denied = (endpoint: string, status: number): ClientError =>
  new ClientError({
    endpoint,
    status,
    code: 'denied',
    detail: `${endpoint} asks for a token, or for another one (status ${String(status)}). Give the one that is for it.`,
  })

/** The error that something else than planspan answers. */
export function notPlanspan(endpoint: string, status: number): ClientError {
  if (DENIED.has(status)) return denied(endpoint, status)
  const detail = `Something answers at ${endpoint} (status ${String(status)}), but it is no planspan server. Name another endpoint.`
  return new ClientError({ endpoint, status, code: 'not_planspan', detail })
}

/** Why a request failed, as its cause tells: a system's code such as ECONNREFUSED, else a message. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return reason instanceof Error ? String(('code' in reason && reason.code) || reason.message) : String(reason)
}
