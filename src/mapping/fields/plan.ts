import { ATTR } from '../../semconv/index.js'
import { assistantMessage, boolean, double, int, json, text, textList, userMessage } from '../field.js'

/** `invoke_workflow`: one run of a plan or sub-plan. */
export const planFields = {
  workflow: text(ATTR.workflowName, 'The kind of plan, low cardinality.'),
  parentPlanId: text(ATTR.planParentId, 'The plan that started this sub-plan.'),
  parentToolCallId: text(ATTR.planParentToolCallId, 'The tool call that started this sub-plan.'),
  parentToolCall: json(ATTR.planParentToolCall, 'That tool call, when it has no span of its own.', { content: true }),
  title: text(ATTR.planTitle, 'The title of the plan.', { content: true }),
  request: userMessage(ATTR.inputMessages, 'What the user asked for.', { content: true }),
  steps: textList(ATTR.planSteps, 'The steps of the plan, as text.', { content: true }),
  currentStepIndex: int(ATTR.planCurrentStepIndex, 'The step at work, from 0.'),
  completed: boolean(ATTR.planCompleted, 'Whether the plan is over.'),
  summary: text(ATTR.planSummary, 'The closing summary.', { content: true }),
  result: assistantMessage(ATTR.outputMessages, 'The structured result of the plan.', { content: true }),
  modelName: text(ATTR.planModelName, 'The model that the record names for the whole plan.'),
  revision: int(ATTR.planRevision, 'How often the plan has been made or revised.'),
  segment: int(ATTR.planSegment, 'Which segment of a resumed plan the span is, from 0.'),
  waiting: boolean(ATTR.waitWaiting, 'Whether the plan waits for a person.'),
  usageInputTokens: int(ATTR.usageRollupInputTokens, 'Input tokens of all model calls of the plan.'),
  usageOutputTokens: int(ATTR.usageRollupOutputTokens, 'Output tokens of all model calls of the plan.'),
  usageTotalTokens: int(ATTR.usageRollupTotalTokens, 'Input and output tokens of all model calls of the plan.'),
  parentRecordId: text(ATTR.recordParentId, 'The JSON field `thinkActRecordId`, digit for digit.'),
  progress: double(ATTR.planProgress, 'How much of the plan is done, percent.'),
  stepStatuses: textList(ATTR.planStepStatuses, 'The status of each step.'),
  stepAgents: textList(ATTR.planStepAgents, 'The agent of each step.'),
  statusCounts: json(ATTR.planStatusCounts, 'How many steps have each status.'),
  reviewLog: json(ATTR.reviewLog, 'The reviews: a list of {attempt, action, feedback}.', { content: true }),
  reviewCount: int(ATTR.reviewCount, 'How many reviews there were.'),
  reviewFinalAction: text(ATTR.reviewFinalAction, 'The last decision.'),
} as const

/** `plan`: making or revising the plan. */
export const planningFields = {
  planner: text(ATTR.agentName, 'The agent that plans.'),
  steps: textList(ATTR.planSteps, 'The steps that this planning produced.', { content: true }),
  revision: int(ATTR.planRevision, '1 for the first plan, higher for each revision.'),
  reason: text(ATTR.planUpdateReason, 'Why the plan was revised.', { content: true }),
} as const
