import { z } from 'zod'

import { integerSchema } from './lax-types.js'

/**
 * A zone-less local date-time: ISO 8601 text with 0 to 9 fraction digits, or Jackson's array
 * `[year, month, day, hour, minute, second?, nanosecond?]` (Lynxe since 2025-07-29).
 */
export const localDateTimeSchema = z.union([z.string(), z.array(integerSchema).min(5).max(7)])

/** A 64-bit id: a number, or text in the first JManus releases. Beyond 2^53 only the record's text is exact. */
const idSchema = z.union([z.number(), z.string()])

/** One tool call of a think-act cycle. `parameters` and most `result`s are JSON text, `id` is the tool call's id. */
export const actToolInfoSchema = z.looseObject({
  name: z.string().nullish(),
  parameters: z.string().nullish(),
  result: z.string().nullish(),
  id: z.string().nullish(),
})

/** One think-act cycle. Char counts are characters, `modelContextLimit` tokens. */
export const thinkActRecordSchema = z.looseObject({
  id: idSchema.nullish(),
  parentExecutionId: idSchema.nullish(),
  thinkStartTime: localDateTimeSchema.nullish(),
  thinkEndTime: localDateTimeSchema.nullish(),
  actStartTime: localDateTimeSchema.nullish(),
  actEndTime: localDateTimeSchema.nullish(),
  thinkInput: z.string().nullish(),
  thinkOutput: z.string().nullish(),
  actionNeeded: z.boolean().nullish(),
  actionDescription: z.string().nullish(),
  actionResult: z.string().nullish(),
  status: z.string().nullish(),
  errorMessage: z.string().nullish(),
  inputCharCount: integerSchema.nullish(),
  outputCharCount: integerSchema.nullish(),
  modelContextLimit: integerSchema.nullish(),
  toolName: z.string().nullish(),
  toolParameters: z.string().nullish(),
  actToolInfoList: z.array(actToolInfoSchema).nullish(),
  get subPlanExecutionRecord() {
    return planExecutionRecordSchema.nullish()
  },
})

/** The form for a person while a plan waits. */
export const userInputWaitStateSchema = z.looseObject({
  planId: z.string().nullish(),
  title: z.string().nullish(),
  waiting: z.boolean().nullish(),
  formDescription: z.string().nullish(),
  formInputs: z.array(z.record(z.string(), z.unknown())).nullish(),
})

/** An agent's work on one step. Alone, the response of Lynxe's `/api/executor/agent-execution/{stepId}`. */
export const agentExecutionRecordSchema = z.looseObject({
  id: idSchema.nullish(),
  stepId: z.string().nullish(),
  conversationId: z.string().nullish(),
  agentName: z.string().nullish(),
  agentDescription: z.string().nullish(),
  startTime: localDateTimeSchema.nullish(),
  endTime: localDateTimeSchema.nullish(),
  maxSteps: integerSchema.nullish(),
  currentStep: integerSchema.nullish(),
  status: z.string().nullish(),
  isCompleted: z.boolean().nullish(),
  isStuck: z.boolean().nullish(),
  completed: z.boolean().nullish(),
  stuck: z.boolean().nullish(),
  agentRequest: z.string().nullish(),
  result: z.string().nullish(),
  errorMessage: z.string().nullish(),
  modelName: z.string().nullish(),
  latestMethodName: z.string().nullish(),
  latestMethodArgs: z.string().nullish(),
  latestRoundNumber: integerSchema.nullish(),
  thinkActSteps: z.array(thinkActRecordSchema).nullish(),
  get subPlanExecutionRecords() {
    return z.array(planExecutionRecordSchema).nullish()
  },
})

/**
 * PlanExecutionRecord of JManus and Lynxe in all eras. Which keys are present depends on the era. Unknown keys are
 * valid.
 * @see https://github.com/spring-ai-alibaba/Lynxe
 */
export const planExecutionRecordSchema = z.looseObject({
  id: idSchema.nullish(),
  planId: z.string().nullish(),
  currentPlanId: z.string().nullish(),
  rootPlanId: z.string().nullish(),
  parentPlanId: z.string().nullish(),
  toolCallId: z.string().nullish(),
  title: z.string().nullish(),
  userRequest: z.string().nullish(),
  startTime: localDateTimeSchema.nullish(),
  endTime: localDateTimeSchema.nullish(),
  currentStepIndex: integerSchema.nullish(),
  completed: z.boolean().nullish(),
  summary: z.string().nullish(),
  steps: z.array(z.string()).nullish(),
  get agentExecutionSequence() {
    return z.array(agentExecutionRecordSchema).nullish()
  },
  userInputWaitState: userInputWaitStateSchema.nullish(),
  modelName: z.string().nullish(),
  parentActToolCall: actToolInfoSchema.nullish(),
  structureResult: z.string().nullish(),
  thinkActRecordId: idSchema.nullish(),
  progress: z.number().nullish(),
  stepStatuses: z.array(z.string()).nullish(),
  stepAgents: z.array(z.string()).nullish(),
  statusCounts: z.record(z.string(), integerSchema).nullish(),
})

export type ActToolInfo = z.infer<typeof actToolInfoSchema>
export type ThinkActRecord = z.infer<typeof thinkActRecordSchema>
export type UserInputWaitState = z.infer<typeof userInputWaitStateSchema>
export type AgentExecutionRecord = z.infer<typeof agentExecutionRecordSchema>
export type PlanExecutionRecord = z.infer<typeof planExecutionRecordSchema>
