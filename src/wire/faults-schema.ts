import { z } from 'zod'

import { ROLES, STATES } from '../semconv/index.js'
import { beginning, time } from './texts.js'

const placeSchema = z.object({
  spanId: z.string(),
  role: z.enum(ROLES).nullable().describe('Null on a span that is no part of a plan.'),
  name: z.string(),
  label: z.string().describe('What it was about, at most 80 characters.'),
  state: z.enum(STATES).nullable(),
  planId: z.string().nullable().describe('The plan that it belongs to, which may be a sub-plan.'),
  step: z.number().int().nullable().describe('Of an agent: which step of its plan it works on, from 1.'),
  steps: z.number().int().nullable().describe('Of an agent: how many steps its plan has.'),
})
const pathSchema = z.array(placeSchema).describe('From the outermost plan to the span itself.')

const failureSchema = z.object({
  spanId: z.string(),
  time: time.describe('When the span ended, ISO 8601 in UTC.'),
  errorType: z.string().nullable(),
  message: beginning.nullable().describe('Of several errors the first; null where the span says only that it failed.'),
  reached: z.string().describe('The outermost span that failed with it: its own id where those above went on.'),
  endedPlan: z.boolean().describe('Whether that is the outermost plan.'),
  path: pathSchema,
})

const actionSchema = z.object({
  spanId: z.string().describe('The guardrail’s.'),
  time: time.describe('When the guardrail judged, ISO 8601 in UTC.'),
  guardrail: z.string().nullable(),
  taken: z.boolean().nullable().describe('Whether the action was taken; null where that is not known.'),
  risk: z.number().nullable(),
  policies: z.array(z.string()).describe('The ids of those that it violates.'),
  explanation: beginning.nullable(),
  tool: z.string().nullable().describe('The tool of the call that was judged.'),
  callSpanId: z.string().nullable().describe('The call’s span, which of a stopped call is made up.'),
  arguments: z.string().nullable().describe('At most 200 characters, likewise.'),
  path: pathSchema.describe('From the outermost plan to the guardrail.'),
})

const waitSchema = z.object({
  spanId: z.string(),
  startTime: time,
  durationMs: z.number().nullable().describe('Until now where it is open; null where no times are recorded.'),
  open: z.boolean().describe('Whether the answer is still awaited.'),
  reason: z.string().nullable().describe('form_input, plan_review or tool_approval.'),
  title: beginning.nullable(),
  resolution: z.string().nullable(),
  actor: z.string().nullable().describe('Who answered.'),
  path: pathSchema,
})

const listOf = <Item extends z.ZodType>(item: Item, order: string) =>
  z
    .object({ count: z.number().int().describe('Of all, whatever the page holds.'), items: z.array(item) })
    .describe(order)

/** The response of `GET /api/records/{planId}/faults`. */
export const faultsSchema = z.object({
  traceId: z.string(),
  failures: listOf(
    failureSchema,
    'The original failures, ordered by end. A propagated error is one failure, of the innermost span that has it.',
  ),
  actions: listOf(actionSchema, 'Actions that a guardrail found unsafe, or stopped: those taken nonetheless first.'),
  waits: listOf(waitSchema, 'Waits for a person, the longest first.'),
})

/** What went wrong in a plan: failures, risky actions and waits. */
export type FaultsJson = z.output<typeof faultsSchema>
