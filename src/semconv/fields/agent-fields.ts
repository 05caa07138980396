import { again, boolean, double, int, json, text, textList } from '../field.js'
import { cumulativeFields, nextObservationFields, outcomeFields } from './environment-fields.js'
import { everySpanFields } from './every-span-fields.js'
import { llmFields } from './llm-fields.js'
import { planFields, planningFields } from './plan-fields.js'

/** `invoke_agent`: an agent working on one step. */
export const agentFields = {
  name: again(everySpanFields.agentName, 'The agent.', { column: 'AgentName' }),
  description: text('gen_ai.agent.description', 'What the agent is for.'),
  stepId: text('planspan.step.id', 'The id of the step.', { structural: true, stored: 'StepId' }),
  stepIndex: int('planspan.step.index', 'The index of the step in the plan, from 0.', { stored: 'StepIndex' }),
  stepDescription: text('planspan.step.description', 'The task of the step.', {
    content: true,
  }),
  success: boolean('planspan.step.success', 'Whether the step succeeded.', { latestOnly: true }),
  attachments: textList('planspan.step.attachments', 'The files that the step produced, paths.', { content: true }),
  status: again(everySpanFields.status, 'The status of the step, in the source system’s own word.'),
  maxSteps: int('planspan.agent.max_steps', 'How many cycles the agent may take.'),
  currentStep: int('planspan.agent.current_step', 'The current cycle or step.'),
  completed: boolean('planspan.agent.completed', 'Whether the agent is done.', { latestOnly: true }),
  stuck: boolean('planspan.agent.stuck', 'Whether the agent is stuck.'),
  request: again(planFields.request, 'What the agent was asked to do.'),
  result: again(planFields.result, 'What the agent answered.'),
  modelName: again(llmFields.model, 'The one model of the agent.'),
  latestMethodName: text('planspan.agent.latest_method_name', 'The method that the agent called last.'),
  latestMethodArgs: text('planspan.agent.latest_method_args', 'The arguments of that call, JSON text.', {
    content: true,
  }),
  latestRoundNumber: int('planspan.agent.latest_round_number', 'The round of that call.'),
  totalCalls: int('planspan.search.total_calls', 'How many searches a researcher made.'),
  totalNotes: int('planspan.search.total_notes', 'How many notes it took.'),
  totalResults: int('planspan.search.total_results', 'How many results its searches found.'),
  totalDurationSeconds: double('planspan.search.total_duration_seconds', 'How long its searches took, seconds.'),
  degradationModes: textList('planspan.search.degradation_modes', 'How its searches were cut to save budget.'),
  version: text('gen_ai.agent.version', 'The version of the agent.'),
  tools: again(llmFields.tools, 'The tools that the agent may call, a list.', { column: 'ToolDefinitions' }),
  extra: again(planFields.extra, 'Other values of the agent in the record, an object.'),
  detail: text('planspan.agent.detail', '`full` with its think-acts, `simplified` in a record that leaves them out.', {
    structural: true,
  }),
} as const

/** `agent_step`: one think-act cycle. */
export const thinkActFields = {
  index: again(agentFields.stepIndex, 'The index of the cycle, from 0.', { column: 'CycleIndex' }),
  parentRecordId: again(planFields.parentRecordId, 'The JSON field `parentExecutionId`, digit for digit.'),
  thinkStartTime: text('planspan.think.start_time', 'Start of thinking as the record writes it, ISO 8601.', {
    structural: true,
  }),
  thinkEndTime: text('planspan.think.end_time', 'End of thinking as the record writes it, ISO 8601.', {
    structural: true,
  }),
  actStartTime: text('planspan.act.start_time', 'Start of acting as the record writes it, ISO 8601.', {
    structural: true,
  }),
  actEndTime: text('planspan.act.end_time', 'End of acting as the record writes it, ISO 8601.', { structural: true }),
  actionNeeded: boolean('planspan.act.needed', 'Whether thinking asked for an action.'),
  actionDescription: text('planspan.act.description', 'What the action is.', { content: true }),
  actionResult: text('planspan.act.result', 'The result of the action.', { content: true }),
  timestamp: text('planspan.step.timestamp', 'The end of the cycle as the record writes it, YYYYMMDD@HHMMSS.', {
    structural: true,
    column: 'RecordTimestamp',
  }),
  durationSeconds: double(
    'planspan.step.duration_seconds',
    'The duration of the cycle that the record states, seconds.',
    {
      column: 'StatedDurationSeconds',
    },
  ),
  empty: boolean('planspan.step.empty', 'Whether the model gave neither a response nor actions.'),
  screenshotUri: text('planspan.observation.screenshot_uri', 'The screenshot that the agent saw.'),
  a11yTree: text('planspan.observation.a11y_tree', 'The accessibility tree that the agent saw.', { content: true }),
  planText: text('planspan.plan.text', 'The plan that the agent followed, as text.', { content: true }),
  steps: again(planFields.steps, 'The steps of that plan.'),
  planUpdateNeeded: boolean('planspan.plan_update.needed', 'Whether a guardrail requested a revision of the plan.'),
  planUpdateGuidance: text('planspan.plan_update.guidance', 'The guardrail’s guidance for the new plan.', {
    content: true,
  }),
  planUpdateReason: again(planningFields.reason, 'Why the plan was revised.'),
  envStepNumber: int('planspan.env.step_number', 'The environment’s count of steps.'),
  envActionHistoryLength: int('planspan.env.action_history_length', 'How many actions the environment remembers.'),
  ...outcomeFields,
  ...nextObservationFields,
  ...cumulativeFields,
  copied: boolean('planspan.step.copied', 'Whether the step was copied from an earlier trajectory, as context.'),
  modelCalls: int('planspan.step.model_calls', 'The number of model calls that the record states.', {
    column: 'StatedModelCalls',
  }),
  messageParts: json('planspan.act.message_parts', 'The message of a step without a model call, a list of parts.', {
    content: true,
  }),
  actionResults: json('planspan.act.results', 'Results that belong to no tool call of the cycle, a list.', {
    content: true,
  }),
  extra: again(planFields.extra, 'Other values of the cycle in the record, an object.'),
  modelContextLimit: int('planspan.think.model_context_limit', 'The model’s context window, tokens.'),
} as const
