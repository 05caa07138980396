import { z } from 'zod'

import { STATES } from '../semconv/index.js'
import { time } from './texts.js'

/** A plan summary as the HTTP interface writes it. */
export const planSchema = z.object({
  planId: z.string(),
  rootPlanId: z.string().nullable().describe('The outermost plan; null when the spans name none.'),
  traceId: z.string(),
  live: z.boolean().describe('Whether an instrumented agent sent it; otherwise it is an imported record.'),
  dialect: z.string().nullable().describe('The imported record’s dialect; null on a live plan.'),
  convention: z
    .string()
    .nullable()
    .describe(
      'The convention of another instrumentation’s trace, such as openinference; null on a plan of planspan’s own.',
    ),
  source: z.string().nullable().describe('The imported record’s source; null on a live plan.'),
  digest: z.string().nullable().describe('The imported record’s digest; null on a live plan.'),
  redacted: z.boolean().describe('Whether values were left out or masked on purpose.'),
  state: z.enum(STATES).describe('Where it stands, in planspan’s words.'),
  status: z.string().nullable().describe('Where it stands, in the source system’s own word.'),
  name: z.string().nullable().describe('The workflow, or the agent of an agent’s record alone.'),
  title: z.string().nullable().describe('At most 500 characters, as of the request.'),
  request: z.string().nullable(),
  serviceName: z.string(),
  startTime: time,
  endTime: time.describe('The latest time in the plan and its sub-plans, ISO 8601 in UTC.'),
  durationMs: z.number(),
  waitingSince: time.nullable().describe('Since when it is known to wait for a person; null unless it does.'),
  stepCount: z.number().int().describe('How many steps it has.'),
  stepsBegun: z.number().int().describe('How many of them have begun, those that are over included.'),
  stepsCompleted: z.number().int().describe('How many of them are completed.'),
  currentStep: z
    .string()
    .nullable()
    .describe('The title of the step at work, or of the last that was, else the task of the last agent.'),
  spans: z.number().int().describe('Ended spans, of the plan and its sub-plans.'),
  errors: z.number().int().describe('Those of them with an error.'),
  failures: z
    .number()
    .int()
    .describe(
      'How many things failed by themselves, as `/faults` lists them, not because something below them failed.',
    ),
  tokens: z.number().int().describe('The tokens that its model calls read and wrote.'),
  inputTokens: z.number().int().describe('The tokens that they read; calls that report only a sum count in tokens.'),
  outputTokens: z.number().int().describe('Those that they wrote.'),
  cacheReadTokens: z.number().int().describe('Those that they read from a cache.'),
  costUsd: z
    .number()
    .nullable()
    .describe('What those of its model calls cost whose price is known, US dollars; null without any.'),
  risk: z.number().nullable().describe('The highest risk that a guardrail saw; null without any.'),
  unsafeTaken: z.number().int().describe('How many actions were taken although a guardrail found them unsafe.'),
})

/** A plan of a list. */
export type PlanJson = z.output<typeof planSchema>
