import { z } from 'zod'

import { ROLES, STATES } from '../semconv/index.js'
import { beginning, time } from './texts.js'

const placeSchema = z.object({
  spanId: z.string(),
  role: z.enum(ROLES).nullable().describe('Null for a span outside of plans.'),
  name: z.string(),
  label: z.string().describe('The subject of the span, at most 80 characters.'),
  state: z.enum(STATES).nullable(),
  planId: z.string().nullable().describe('The plan or sub-plan of the span.'),
  step: z.number().int().nullable().describe('For an agent, the number of the step that it works on, from 1.'),
  steps: z.number().int().nullable().describe('For an agent, the number of steps of its plan.'),
})
const pathSchema = z.array(placeSchema).describe('The path from the outermost plan to the span itself.')

const failureSchema = z.object({
  spanId: z.string(),
  time: time.describe('The time when the span ended, ISO 8601 in UTC.'),
  errorType: z.string().nullable(),
  message: beginning.nullable().describe('The message of the first error; null if the span has only an error status.'),
  reached: z
    .string()
    .describe(
      'The id of the outermost span that the failure propagated to; the span’s own id if its ancestors recovered.',
    ),
  endedPlan: z.boolean().describe('Whether the failure propagated to the outermost plan.'),
  path: pathSchema,
})

const actionSchema = z.object({
  spanId: z.string().describe('The span of the guardrail.'),
  time: time.describe('The time of the assessment, ISO 8601 in UTC.'),
  guardrail: z.string().nullable(),
  taken: z.boolean().nullable().describe('Whether the action was executed; null if unknown.'),
  risk: z.number().nullable(),
  policies: z.array(z.string()).describe('The ids of the violated policies.'),
  explanation: beginning.nullable(),
  tool: z.string().nullable().describe('The tool of the judged call.'),
  callSpanId: z.string().nullable().describe('The span of the judged call. For a stopped call it is synthetic.'),
  arguments: z.string().nullable().describe('The arguments of the judged call, at most 200 characters.'),
  path: pathSchema.describe('The path from the outermost plan to the guardrail.'),
})

const waitSchema = z.object({
  spanId: z.string(),
  startTime: time,
  durationMs: z
    .number()
    .nullable()
    .describe('The duration of the wait, until now if it is open; null if no times are recorded.'),
  open: z.boolean().describe('Whether the wait has no answer yet.'),
  reason: z.string().nullable().describe('form_input, plan_review or tool_approval.'),
  title: beginning.nullable(),
  resolution: z.string().nullable(),
  actor: z.string().nullable().describe('Who answered.'),
  path: pathSchema,
})

const listOf = <Item extends z.ZodType>(item: Item, order: string) =>
  z
    .object({ count: z.number().int().describe('The total number of items on all pages.'), items: z.array(item) })
    .describe(order)

/** The response of `GET /api/records/{planId}/faults`. */
export const faultsSchema = z.object({
  traceId: z.string(),
  failures: listOf(
    failureSchema,
    'The original failures, ordered by end. A propagated error is one failure, of the innermost span that has it.',
  ),
  actions: listOf(
    actionSchema,
    'Actions that a guardrail found unsafe or stopped. Actions that were executed nonetheless are listed first.',
  ),
  waits: listOf(waitSchema, 'Waits for a person, longest first.'),
})

/** What went wrong in a plan: failures, risky actions and waits. */
export type FaultsJson = z.output<typeof faultsSchema>
