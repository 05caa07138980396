import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'

export const REQUEST_ID = 'x-request-id'

/** The ids that are safe in a log line and in a header. */
const FORM = /^[\w.:+/=@-]{1,128}$/

/** Returns the id of a request if it is well formed, or else a new id. */
export const requestIdFrom = (given: string | readonly string[] | undefined): string =>
  typeof given === 'string' && FORM.test(given) ? given : randomUUID()

/** Returns the id of a request over a connection. */
export function requestIdOf(c: Context): string | undefined {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  return outgoing?.getHeader(REQUEST_ID) as string | undefined
}
