import { ATTR } from '../attributes.js'
import { assistantMessage, boolean, double, int, text, textList, userMessage } from '../field.js'
import { cumulativeFields, nextObservationFields, outcomeFields } from './environment.js'

/** `invoke_agent`: one agent at work on one step. */
export const agentFields = {
  name: text(ATTR.agentName, 'The agent.'),
  description: text(ATTR.agentDescription, 'What the agent is for.'),
  stepId: text(ATTR.stepId, 'The id of the step.'),
  stepIndex: int(ATTR.stepIndex, 'The index of the step in the plan, from 0.'),
  stepDescription: text(ATTR.stepDescription, 'What the step is to do.', { content: true }),
  success: boolean(ATTR.stepSuccess, 'Whether the step reached what it was to do.'),
  attachments: textList(ATTR.stepAttachments, 'The files that the step produced, paths.', { content: true }),
  maxSteps: int(ATTR.agentMaxSteps, 'How many cycles the agent may take.'),
  currentStep: int(ATTR.agentCurrentStep, 'The cycle or step at work.'),
  completed: boolean(ATTR.agentCompleted, 'Whether the agent is done.'),
  stuck: boolean(ATTR.agentStuck, 'Whether the agent is stuck.'),
  request: userMessage(ATTR.inputMessages, 'What the agent was asked to do.', { content: true }),
  result: assistantMessage(ATTR.outputMessages, 'What the agent answered.', { content: true }),
  modelName: text(ATTR.requestModel, 'The one model of the agent.'),
  latestMethodName: text(ATTR.agentLatestMethodName, 'The method that the agent called last.'),
  latestMethodArgs: text(ATTR.agentLatestMethodArgs, 'The arguments of that call, JSON text.', { content: true }),
  latestRoundNumber: int(ATTR.agentLatestRoundNumber, 'The round of that call.'),
  totalCalls: int(ATTR.researchTotalCalls, 'How many searches a researcher made.'),
  totalNotes: int(ATTR.researchTotalNotes, 'How many notes it took.'),
  totalResults: int(ATTR.researchTotalResults, 'How many results its searches found.'),
  totalDurationSeconds: double(ATTR.researchTotalDurationSeconds, 'How long its searches took, seconds.'),
  degradationModes: textList(ATTR.researchDegradationModes, 'How its searches were cut to save budget.'),
  detail: text(ATTR.agentDetail, '`full` with its think-acts, `simplified` in a record that leaves them out.'),
} as const

/** `agent_step`: one think-act cycle. */
export const thinkActFields = {
  index: int(ATTR.stepIndex, 'The index of the cycle, from 0.'),
  parentRecordId: text(ATTR.recordParentId, 'The JSON field `parentExecutionId`, digit for digit.'),
  thinkStartTime: text(ATTR.thinkStartTime, 'Start of thinking as the record writes it, ISO 8601.'),
  thinkEndTime: text(ATTR.thinkEndTime, 'End of thinking as the record writes it, ISO 8601.'),
  actStartTime: text(ATTR.actStartTime, 'Start of acting as the record writes it, ISO 8601.'),
  actEndTime: text(ATTR.actEndTime, 'End of acting as the record writes it, ISO 8601.'),
  actionNeeded: boolean(ATTR.actNeeded, 'Whether thinking asked for an action.'),
  actionDescription: text(ATTR.actDescription, 'What the action is.', { content: true }),
  actionResult: text(ATTR.actResult, 'What came of the action.', { content: true }),
  timestamp: text(ATTR.stepTimestamp, 'The end of the cycle as the record writes it, YYYYMMDD@HHMMSS.'),
  durationSeconds: double(ATTR.stepDurationSeconds, 'How long the cycle took as the record tells, seconds.'),
  empty: boolean(ATTR.stepEmpty, 'Whether the model gave neither a response nor actions.'),
  screenshotUri: text(ATTR.observationScreenshotUri, 'The screenshot that the agent saw.'),
  a11yTree: text(ATTR.observationA11yTree, 'The accessibility tree that the agent saw.', { content: true }),
  planText: text(ATTR.planText, 'The plan that the agent followed, as text.', { content: true }),
  steps: textList(ATTR.planSteps, 'The steps of that plan.', { content: true }),
  planUpdateNeeded: boolean(ATTR.planUpdateNeeded, 'Whether a guardrail had the plan revised.'),
  planUpdateGuidance: text(ATTR.planUpdateGuidance, 'What it wanted of the new plan.', { content: true }),
  planUpdateReason: text(ATTR.planUpdateReason, 'Why the plan was revised.', { content: true }),
  envStepNumber: int(ATTR.envStepNumber, 'The environment’s count of steps.'),
  envActionHistoryLength: int(ATTR.envActionHistoryLength, 'How many actions the environment remembers.'),
  ...outcomeFields,
  ...nextObservationFields,
  ...cumulativeFields,
  modelContextLimit: int(ATTR.thinkModelContextLimit, 'The model’s context window, tokens.'),
} as const
