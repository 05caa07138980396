import { z } from 'zod'

import type { FacetsQuery } from '../../client/index.js'
import { STATES } from '../../semconv/index.js'

const duration = z.string().regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/) as z.ZodType<`${number}${'ms' | 's' | 'm' | 'h' | 'd'}`>

/** The filters by which plans are chosen; all that are given hold. */
export const PLAN_FILTERS = {
  state: z
    .array(z.enum(STATES))
    .optional()
    .describe('In one of these states. waiting: for a person; interrupted: it has not been heard of any more.'),
  error: z
    .string()
    .min(1)
    .optional()
    .describe(
      '"any": plans in which anything failed, also what they got over; else a text in an error’s class or message.',
    ),
  errorType: z.string().min(1).optional().describe('With an error of exactly this class, such as TimeoutError.'),
  text: z
    .string()
    .min(1)
    .optional()
    .describe('With this text in the first 500 characters of the title or request, or the first 1,000 of the answer.'),
  workflow: z.string().min(1).optional().describe('Of exactly this workflow.'),
  agent: z.string().min(1).optional().describe('With an agent of exactly this name.'),
  tool: z.string().min(1).optional().describe('With a call of exactly this tool.'),
  model: z.string().min(1).optional().describe('With a call of exactly this model.'),
  service: z.string().min(1).optional().describe('With spans of exactly this service.'),
  conversation: z.string().min(1).optional().describe('Of this conversation or session.'),
  since: z.string().optional().describe('Started then or later: ISO 8601, in UTC unless it names a zone.'),
  until: z.string().optional().describe('Started before then.'),
  minDuration: duration.optional().describe('Took at least so long: 500ms, 90s, 15m, 2h or 7d.'),
  minWait: duration
    .optional()
    .describe(
      'Waits for a person now, for at least so long. For waits that are over: a long duration, then find_faults.',
    ),
  minRisk: z.number().min(0).optional().describe('A guardrail saw at least this risk, from 0 to 1.'),
  minTokens: z.number().min(0).optional().describe('At least so many tokens in all model calls.'),
  minCostUsd: z.number().min(0).optional().describe('Cost at least so many US dollars.'),
  trace: z.string().optional().describe('Of this trace.'),
  source: z.string().optional().describe('Imported from this source.'),
  dialect: z
    .string()
    .optional()
    .describe('Records of this format: plan-execution (also live plans), plan-act, trajectory, review-log, atif.'),
  convention: z.string().optional().describe('Of another instrumentation’s convention, such as openinference.'),
  all: z.boolean().optional().describe('Every import of a record that was imported again, not the newest alone.'),
} satisfies Record<keyof Omit<FacetsQuery, 'limit'>, z.ZodType>
