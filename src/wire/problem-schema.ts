import { z } from 'zod'

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
