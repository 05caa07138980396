import { z } from 'zod'

import { laxBoolean, laxInteger, laxTime } from './lax-types.js'

const KNOWN_TYPES = new Set(['title', 'message', 'plan', 'step', 'tool', 'error', 'done', 'wait'])
const otherTypeSchema = z.string().refine((type) => !KNOWN_TYPES.has(type))

/** The state of a plan or step. */
export const executionStatusSchema = z.enum(['pending', 'running', 'completed', 'failed'])

/**
 * A step of a plan. Its id comes from the model, and other plans may use the same id. Attachments are paths in the
 * sandbox.
 */
export const planActStepSchema = z.looseObject({
  id: z.string(),
  description: z.string(),
  status: executionStatusSchema,
  result: z.string().nullish(),
  error: z.string().nullish(),
  success: laxBoolean.optional(),
  attachments: z.array(z.string()).optional(),
})

/** A plan of ManusX. An update replaces all steps from the first unfinished one. */
export const planActPlanSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  goal: z.string(),
  language: z.string().nullish(),
  steps: z.array(planActStepSchema),
  message: z.string().nullish(),
  status: executionStatusSchema,
  result: z.looseObject({}).nullish(),
  error: z.string().nullish(),
})

const domainHead = { id: z.string(), timestamp: laxTime }
const domainEvent = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.looseObject({ type: z.literal(type), ...domainHead, ...shape })

const filesSchema = z.array(z.looseObject({ file_id: z.string().nullish(), filename: z.string().nullish() }))

/**
 * An event of ManusX's domain. `function_result` is the result of the tool, `tool_content` the part that the user sees.
 * Both are null while a tool is being called. ai-manus has since added `brief`.
 * @see https://github.com/nuoyimanaituling/manus-x backend/app/domain/models/event.py
 */
export const planActEventSchema = z.union([
  domainEvent('title', { title: z.string() }),
  domainEvent('message', { role: z.string(), message: z.string(), attachments: filesSchema.nullish() }),
  domainEvent('plan', { plan: planActPlanSchema, status: z.string(), step: planActStepSchema.nullish() }),
  domainEvent('step', { step: planActStepSchema, status: z.string() }),
  domainEvent('tool', {
    tool_call_id: z.string(),
    tool_name: z.string(),
    tool_content: z.unknown(),
    function_name: z.string(),
    function_args: z.record(z.string(), z.unknown()),
    status: z.string(),
    function_result: z.unknown(),
    brief: z.string().nullish(),
  }),
  domainEvent('error', { error: z.string() }),
  domainEvent('done', {}),
  domainEvent('wait', {}),
  z.looseObject({
    type: otherTypeSchema,
    ...domainHead,
  }),
])

/** An entry of the Redis output stream; `id` is `<Unix milliseconds>-<n>`. */
export const planActStreamEntrySchema = z.looseObject({ id: z.string(), data: planActEventSchema })

/** A step as clients see it. */
export const planActShownStepSchema = z.looseObject({
  status: executionStatusSchema,
  id: z.string(),
  description: z.string(),
  result: z.string().nullish(),
})

const shownHead = { event_id: z.string().nullish(), timestamp: laxTime }
const shownEvent = <Type extends string, Shape extends z.ZodRawShape>(event: Type, shape: Shape) =>
  z.looseObject({ event: z.literal(event), data: z.looseObject({ ...shownHead, ...shape }) })

/**
 * An event as the server sends it to clients, over SSE (`event`, `data`), in `GET /sessions/{id}` and in ai-manus's
 * WebSocket frames. Times are whole Unix seconds, `event_id` is the id of the Redis stream.
 */
export const planActShownEventSchema = z.union([
  shownEvent('title', { title: z.string() }),
  shownEvent('message', { role: z.string(), content: z.string(), attachments: filesSchema.nullish() }),
  shownEvent('plan', { steps: z.array(planActShownStepSchema.extend(shownHead)) }),
  shownEvent('step', planActShownStepSchema.shape),
  shownEvent('tool', {
    tool_call_id: z.string(),
    name: z.string(),
    status: z.string(),
    function: z.string(),
    args: z.record(z.string(), z.unknown()),
    content: z.unknown(),
    brief: z.string().nullish(),
  }),
  shownEvent('error', { error: z.string() }),
  shownEvent('done', {}),
  shownEvent('wait', {}),
  z.looseObject({
    event: otherTypeSchema,
    data: z.looseObject(shownHead),
  }),
])

/** The response of ManusX's `GET /sessions/{id}`. Its status is `completed` after an error, too. */
export const planActSessionSchema = z.looseObject({
  code: laxInteger(),
  msg: z.string(),
  data: z.looseObject({
    session_id: z.string(),
    title: z.string().nullish(),
    status: z.string(),
    events: z.array(planActShownEventSchema),
    is_shared: laxBoolean.optional(),
  }),
})

export type PlanActStep = z.infer<typeof planActStepSchema>
export type PlanActPlan = z.infer<typeof planActPlanSchema>
export type PlanActEvent = z.infer<typeof planActEventSchema>
export type PlanActStreamEntry = z.infer<typeof planActStreamEntrySchema>
export type PlanActShownEvent = z.infer<typeof planActShownEventSchema>
export type PlanActSession = z.infer<typeof planActSessionSchema>
