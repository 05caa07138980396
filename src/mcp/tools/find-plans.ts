import { z } from 'zod'

import type { ListQuery, PlanJson } from '../../client/index.js'
import { STATES, VERDICTS } from '../../semconv/index.js'
import { describedFilter, PLAN_FILTERS, type FilterKind, type PlanFilterName } from '../../wire/filters/index.js'
import { elapsedMs } from '../../wire/index.js'
import { brief } from '../answer-room.js'
import { defineTool } from '../define-tool.js'

const duration = z.string().regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/)

const ARGUMENTS: Readonly<Record<FilterKind, z.ZodType>> = {
  states: z.array(z.enum(STATES)),
  word: z.string().min(1),
  anyText: z.string(),
  text: z.string().min(1),
  dialect: z.string(),
  convention: z.string(),
  number: z.number().min(0),
  duration,
  time: z.string(),
  boolean: z.boolean(),
}

const FORMS: Partial<Record<FilterKind, string>> = {
  states: 'waiting plans wait for a person; interrupted plans stopped sending spans before they ended',
  time: 'ISO 8601, in UTC unless the text contains a zone',
  duration: 'such as 500ms, 90s, 15m, 2h or 7d',
}

/** The arguments that filter plans, from the filters of the HTTP interface. A plan must match all given arguments. */
export const FILTER_ARGUMENTS = Object.fromEntries(
  Object.entries(PLAN_FILTERS).map(([name, filter]) => [
    name,
    ARGUMENTS[filter.kind].optional().describe(`${describedFilter(filter, FORMS)}.`),
  ]),
) as unknown as Record<PlanFilterName, z.ZodOptional>

const rowSchema = z.object({
  planId: z.string(),
  traceId: z.string(),
  rootPlanId: z.string().optional().describe('The outermost plan; only for a sub-plan.'),
  state: z.enum(STATES),
  title: z.string().optional(),
  workflow: z.string().optional(),
  service: z.string(),
  startTime: z.string(),
  durationMs: z
    .number()
    .describe('The time from the start to the end, until now for an open plan, including waits for people.'),
  waitingSince: z.string().optional().describe('The time since which the plan has been waiting for a person.'),
  stepCount: z.number().optional().describe('The number of steps; absent if unknown.'),
  stepsCompleted: z.number().optional(),
  currentStep: z.string().optional().describe('The running step, or the last step that ran.'),
  headline: z
    .string()
    .optional()
    .describe(
      'Why it failed, what it does or for what it waits, and unsafe actions; absent if nothing is wrong or open.',
    ),
  spans: z.number(),
  errors: z.number().describe('The number of failed spans. The plan may have recovered from them.'),
  tokens: z.number(),
  costUsd: z.number().optional(),
  risk: z.number().optional().describe('The highest risk that a guardrail reported, from 0 to 1.'),
  unsafeTaken: z.number().optional().describe('The number of actions that ran although a guardrail found them unsafe.'),
  source: z.string().optional().describe('The source of an imported record; absent for a live plan.'),
})

/** Lists plans. */
export const findPlans = defineTool({
  name: 'find_plans',
  title: 'Find plans',
  description:
    'Lists plans (runs of AI agents), newest first, with their state, times, steps, number of errors, tokens, cost and risk. ' +
    'Start here to find a plan by text, state, time, agent, tool, error, and so on. A plan must match all given filters. ' +
    'Names (workflow, agent, tool, …) must match exactly; count_plans lists the existing names. For the next page, repeat the ' +
    'call with cursor=nextCursor. Then use find_faults to find out what went wrong in a plan, and read_plan to see what it did.',
  input: z.object({
    ...FILTER_ARGUMENTS,
    verdict: z
      .enum(VERDICTS)
      .optional()
      .describe('Plans whose record is rebuilt with this verdict. Slow, because each record is rebuilt.'),
    sort: z
      .enum(['start', 'duration', 'tokens', 'cost', 'risk'])
      .optional()
      .describe('The sort key; start by default.'),
    order: z.enum(['desc', 'asc']).optional().describe('desc (the default): newest, longest or most first.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(25)
      .describe('The maximum number of plans. Fewer are returned if the answer would be too large.'),
    cursor: z.string().optional().describe('The nextCursor of the previous page.'),
  }),
  output: z.object({
    plans: z.array(rowSchema),
    nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
  }),
  async run(asked, { client, room, signal }) {
    const query = asked as ListQuery
    const { records, nextCursor } = await client.list(query, { signal })
    const plans = room.fill(records.map(rowOf))
    if (plans.length === records.length) return { plans, nextCursor }
    // The cursor of a shortened page must follow its last plan.
    const limit = Math.max(1, plans.length)
    return { plans, nextCursor: (await client.list({ ...query, limit }, { signal })).nextCursor }
  },
})

const TEXT_BYTES = 450

function rowOf(plan: PlanJson): z.output<typeof rowSchema> {
  const { planId, traceId, rootPlanId, state, startTime, waitingSince, spans, errors, tokens } = plan
  const title = plan.title ?? plan.request
  return {
    planId,
    traceId,
    ...(rootPlanId === null || rootPlanId === planId ? {} : { rootPlanId }),
    state,
    ...(title === null ? {} : { title: brief(title, TEXT_BYTES) }),
    ...(plan.name === null ? {} : { workflow: brief(plan.name, TEXT_BYTES) }),
    service: brief(plan.serviceName, TEXT_BYTES),
    startTime,
    durationMs: elapsedMs(plan, Date.now()),
    ...(waitingSince === null ? {} : { waitingSince }),
    ...(plan.stepCount === 0 ? {} : { stepCount: plan.stepCount, stepsCompleted: plan.stepsCompleted }),
    ...(plan.currentStep === null ? {} : { currentStep: brief(plan.currentStep, TEXT_BYTES) }),
    ...(plan.headline.length === 0
      ? {}
      : { headline: brief(plan.headline.map(({ text }) => text).join('; '), TEXT_BYTES) }),
    spans,
    errors,
    tokens,
    ...(plan.costUsd === null ? {} : { costUsd: plan.costUsd }),
    ...(plan.risk === null ? {} : { risk: plan.risk }),
    ...(plan.unsafeTaken === 0 ? {} : { unsafeTaken: plan.unsafeTaken }),
    ...(plan.source === null ? {} : { source: brief(plan.source, TEXT_BYTES) }),
  }
}
