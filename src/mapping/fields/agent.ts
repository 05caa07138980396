import { ATTR } from '../../semconv/index.js'
import { assistantMessage, boolean, int, text, userMessage } from '../field.js'

/** `invoke_agent`: one agent at work on one step. */
export const agentFields = {
  name: text(ATTR.agentName, 'The agent.'),
  description: text(ATTR.agentDescription, 'What the agent is for.'),
  stepId: text(ATTR.stepId, 'The id of the step.'),
  stepIndex: int(ATTR.stepIndex, 'The index of the step in the plan, from 0.'),
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
  modelContextLimit: int(ATTR.thinkModelContextLimit, 'The model’s context window, tokens.'),
} as const
