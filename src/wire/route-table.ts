import { z } from 'zod'

import type { Scope } from '../access/index.js'

/** The body of an error response: an RFC 9457 problem with planspan's error code. */
export const problemSchema = z.object({
  type: z.literal('about:blank'),
  title: z.string().describe('The meaning of the status.'),
  status: z.number().int(),
  code: z.string().describe('planspan’s error code, such as usage or store_unreachable.'),
  detail: z.string().describe('What happened, with what, and what to do.'),
  requestId: z.string().exactOptional().describe('The id of the request, as in the server’s log.'),
})

/** An error as an RFC 9457 problem, `application/problem+json`. */
export type Problem = z.output<typeof problemSchema>

/** The required access: a scope; `open`: none; `brief`: none, but the full response needs the scope read. */
export type Need = Scope | 'open' | 'brief'

/** A response: JSON with a schema, or a body of a media type. */
export interface Answer {
  readonly description: string
  /** The schema of the JSON; without it the response has a body of the media type, or no body. */
  readonly schema?: z.ZodType
  readonly type?: string
  readonly headers?: readonly string[]
}

/** The declaration of a route. The server, the guard, the OpenAPI document and the client read it. */
export interface Route {
  /** The access that the route needs on a server with tokens. */
  readonly scope: Need
  /** The methods of the client that send the request. */
  readonly client?: readonly string[]
  readonly summary?: string
  readonly query?: z.ZodObject
  /** The JSON of the body, or a description of a body in another form. */
  readonly body?: z.ZodObject | string
  /** The responses by status. Routes without them are not in the OpenAPI document. */
  readonly answers?: Readonly<Record<number, Answer>>
}

/** Routes by method and path, such as `GET /api/records/{id}`. `ALL` matches methods that no other route handles. */
export type RouteTable = Readonly<Record<`${'GET' | 'POST' | 'DELETE' | 'ALL'} /${string}`, Route>>

const BAD: Answer = {
  description: 'A parameter is unknown or invalid; the detail names it and the allowed values.',
  schema: problemSchema,
}
export const MISSING: Answer = { description: 'Not stored.', schema: problemSchema }
export const UNAVAILABLE: Answer = {
  description: 'The store is unreachable or busy. Retry after Retry-After seconds.',
  schema: problemSchema,
  headers: ['retry-after'],
}

/** A JSON response. */
export const json = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers: readonly string[] = [],
): Answer & { readonly schema: Schema } => ({ description, schema, headers })

/** The responses of any request with parameters. */
export const FOUND = { 400: BAD, 503: UNAVAILABLE } as const satisfies Route['answers']

/** The responses of a conditional request for one resource. */
export const TAGGED = {
  ...FOUND,
  304: { description: 'Unchanged since the ETag in If-None-Match.', headers: ['etag'] },
  404: MISSING,
} as const satisfies Route['answers']
