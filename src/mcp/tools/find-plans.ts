import { z } from 'zod'

import type { ListQuery, PlanJson } from '../../client/index.js'
import { STATES, VERDICTS } from '../../semconv/index.js'
import { brief } from '../answer-room.js'
import { defineTool } from '../define-tool.js'
import { FILTER_ARGUMENTS } from './filter-arguments.js'

const rowSchema = z.object({
  planId: z.string(),
  traceId: z.string(),
  rootPlanId: z.string().optional().describe('Of a sub-plan: the outermost plan.'),
  state: z.enum(STATES),
  title: z.string().optional(),
  workflow: z.string().optional(),
  service: z.string(),
  startTime: z.string(),
  durationMs: z.number().describe('Until it was last heard of; a person’s answer counts as long as it took.'),
  waitingSince: z.string().optional().describe('It waits for a person, since then.'),
  stepCount: z.number().optional().describe('How many steps it has; absent if unknown.'),
  stepsCompleted: z.number().optional(),
  currentStep: z.string().optional().describe('The step at work, or the last that was.'),
  spans: z.number(),
  errors: z.number().describe('How many spans failed; a plan may have got over them.'),
  tokens: z.number(),
  costUsd: z.number().optional(),
  risk: z.number().optional().describe('The highest that a guardrail saw, from 0 to 1.'),
  unsafeTaken: z.number().optional().describe('How many actions it took although a guardrail found them unsafe.'),
  source: z.string().optional().describe('Of an imported record; absent on a live plan.'),
})

/** Lists plans. */
export const findPlans = defineTool({
  name: 'find_plans',
  title: 'Find plans',
  description:
    'Lists plans (runs of AI agents), the newest first, with their state, times, steps, number of errors, tokens, cost and risk. ' +
    'Start here to find the plan that somebody asks about, by text, state, time, agent, tool, error, and so on. All filters ' +
    'that are given hold together. Names (workflow, agent, tool, …) are matched exactly: count_plans tells which there are. ' +
    'More plans: ask again with nextCursor as cursor, and else the same. Then find_faults tells what went wrong in one, ' +
    'read_plan what it did.',
  input: z.object({
    ...FILTER_ARGUMENTS,
    verdict: z.enum(VERDICTS).optional().describe('Whose record is rebuilt with this verdict; slow, each is rebuilt.'),
    sort: z.enum(['start', 'duration', 'tokens', 'cost', 'risk']).optional().describe('The sort key; default: start.'),
    order: z.enum(['desc', 'asc']).optional().describe('Default: desc, newest, longest or most first.'),
    limit: z.number().int().min(1).max(100).default(25).describe('How many; as many as one answer holds.'),
    cursor: z.string().optional().describe('The nextCursor of the page before.'),
  }),
  output: z.object({
    plans: z.array(rowSchema),
    nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last one.'),
  }),
  async run(asked, { client, room, signal }) {
    const query = asked as ListQuery
    const { records, nextCursor } = await client.list(query, { signal })
    const plans = room.fill(records.map(rowOf))
    if (plans.length === records.length) return { plans, nextCursor }
    // A page that is cut must end at its cursor.
    const limit = Math.max(1, plans.length)
    return { plans, nextCursor: (await client.list({ ...query, limit }, { signal })).nextCursor }
  },
})

const TEXT_BYTES = 450

function rowOf(plan: PlanJson): z.output<typeof rowSchema> {
  const { planId, traceId, rootPlanId, state, startTime, durationMs, waitingSince, spans, errors, tokens } = plan
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
    durationMs,
    ...(waitingSince === null ? {} : { waitingSince }),
    ...(plan.stepCount === 0 ? {} : { stepCount: plan.stepCount, stepsCompleted: plan.stepsCompleted }),
    ...(plan.currentStep === null ? {} : { currentStep: brief(plan.currentStep, TEXT_BYTES) }),
    spans,
    errors,
    tokens,
    ...(plan.costUsd === null ? {} : { costUsd: plan.costUsd }),
    ...(plan.risk === null ? {} : { risk: plan.risk }),
    ...(plan.unsafeTaken === 0 ? {} : { unsafeTaken: plan.unsafeTaken }),
    ...(plan.source === null ? {} : { source: brief(plan.source, TEXT_BYTES) }),
  }
}
