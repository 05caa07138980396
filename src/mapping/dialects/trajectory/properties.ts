import {
  fromOneForm,
  pythonFloatForm,
  intForm,
  type Form,
  agent,
  derived,
  exception,
  fieldsOf,
  guardrail,
  list,
  llm,
  nested,
  orNull,
  part,
  plan,
  sameAs,
  thinkAct,
  tool,
  type FieldProperty,
  type Parts,
} from '../../record-object/index.js'

/** A reward as the environment returns it: an int if it is whole. */
const rewardForm: Form<number> = {
  read: pythonFloatForm.read,
  write: (value) => (Number.isSafeInteger(value) ? intForm : pythonFloatForm).write(value),
}

const cumulativeStats = (home: 'plan' | 'think_act') => {
  const total = fieldsOf(home)
  return nested({
    total_tokens_used: total('cumulativeTotalTokens'),
    total_world_model_tokens_used: total('cumulativeWorldModelTokens'),
    total_harmonyguard_tokens_used: total('cumulativePolicyGuardrailTokens'),
    total_reactive_tokens_used: total('cumulativeReactiveGuardrailTokens'),
    total_steps: total('cumulativeSteps'),
    total_actions_executed: total('cumulativeActions'),
  })
}

/** The task, on the plan span. The model in its settings is on the agent's span. */
export const TASK = {
  task_id: plan('taskId'),
  task_instruction: plan('request'),
  task_params: part(plan('taskParams'), agent('modelName')),
  injection: orNull(plan('taskInjection')),
  jailbreak: plan('taskJailbreak'),
}

const seconds = plan('totalDurationSeconds')
const sixtieth = (value: number | undefined): number | undefined => (value === undefined ? undefined : value / 60)

/** The totals that a run adds when it ends, on the plan span. The minutes are not rounded. */
const TOTALS = {
  total_duration_seconds: seconds,
  total_duration_minutes: derived(plan('totalDurationMinutes'), [seconds], sixtieth),
  cumulative_stats: cumulativeStats('plan'),
}

/** An execution_trajectory.json as SafePred writes it. */
export const NESTED = { steps: list('think_act'), task_metadata: nested(TASK), ...TOTALS }

/** The same as its documentation proposes. */
export const FLAT = { steps: list('think_act'), ...TASK, injection: plan('taskInjection'), ...TOTALS }

/** A step, on its think-act span and those below it. */
export const STEP = {
  step_idx: thinkAct('index'),
  timestamp: thinkAct('timestamp'),
  response: part(llm('output'), llm('outputItems')),
  actions: part(tool('arguments'), tool('actionIsText')),
  screenshot_file: thinkAct('screenshotUri'),
  a11y_tree: thinkAct('a11yTree'),
  _empty_step: thinkAct('empty'),
  world_model_output: part('guardrail'),
  safety_info: part('guardrail', 'think_act'),
  token_usage: part('llm'),
  world_model_token_usage: part('llm', llm('usageSource')),
  harmonyguard_token_usage: part('llm', llm('usageSource')),
  reactive_token_usage: part('llm', llm('usageSource')),
  step_duration_seconds: thinkAct('durationSeconds'),
  action_results: list('tool'),
  reward: thinkAct('reward'),
  done: thinkAct('done'),
  info: thinkAct('info'),
  action_timestamp: thinkAct('actionTimestamp'),
  next_state_a11y_tree: thinkAct('nextA11yTree'),
  next_state_screenshot_file: thinkAct('nextScreenshotUri'),
  plan: nested({ current_plan: thinkAct('planText'), plan_steps: thinkAct('steps') }),
  errors: list('exception'),
  cumulative_stats: cumulativeStats('think_act'),
  env_state: nested({
    step_number: thinkAct('envStepNumber'),
    action_history_length: thinkAct('envActionHistoryLength'),
  }),
}

/** The JSON of the keys of a step that represent the spans below it. */
export type StepParts = Parts<typeof STEP>

/** `safety_info.plan_update`, on the think-act span. */
export const PLAN_UPDATE = {
  should_update_plan: thinkAct('planUpdateNeeded'),
  optimization_guidance: thinkAct('planUpdateGuidance'),
  update_reason: thinkAct('planUpdateReason'),
}

const prediction = (score: FieldProperty<'guardrail', number>, explanation: FieldProperty<'guardrail', string>) => ({
  semantic_delta: orNull(guardrail('semanticDelta')),
  element_changes: guardrail('elementChanges'),
  long_term_impact: orNull(guardrail('longTermImpact')),
  risk_explanation: explanation,
  violated_policy_ids: guardrail('policies'),
  optimization_guidance: orNull(guardrail('optimizationGuidance')),
  risk_score: score,
})

/** A step's own `world_model_output`, on a guardrail span. */
export const WORLD_MODEL_OUTPUT = prediction(guardrail('score'), guardrail('explanation'))

const judgedPrediction = nested(
  prediction(
    sameAs(guardrail('worldModelScore'), guardrail('score')),
    sameAs(guardrail('worldModelExplanation'), guardrail('explanation')),
  ),
)

const VERDICT = {
  risk_score: guardrail('score'),
  risk_explanation: guardrail('explanation'),
  is_safe: guardrail('isSafe'),
}

/** `safety_info.action_N` of SafePred, on a guardrail span. */
export const ASSESSMENT = { ...VERDICT, world_model_output: orNull(judgedPrediction) }

/** `safety_info.action_N` of HarmonyGuard and Reactive. */
export const ALIGNMENT = {
  ...VERDICT,
  world_model_output: judgedPrediction,
  task_alignment: guardrail('taskAlignment'),
  task_alignment_explanation: guardrail('taskAlignmentExplanation'),
}

const sumOf = (input = Number.NaN, output = Number.NaN): number | undefined =>
  Number.isSafeInteger(input + output) ? input + output : undefined

/** The four token usages, on the spans of model calls. */
export const USAGE = {
  model: llm('responseModel'),
  prompt_tokens: llm('inputTokens'),
  completion_tokens: llm('outputTokens'),
  total_tokens: derived(llm('totalTokens'), [llm('inputTokens'), llm('outputTokens')], sumOf),
}

const OUTCOME = { reward: tool('reward', rewardForm), done: tool('done'), info: tool('info') }

/** An action and its result, on a tool span. */
export const RESULT = {
  action: part(tool('arguments'), tool('actionIsText')),
  action_timestamp: tool('actionTimestamp'),
  ...OUTCOME,
  action_duration_seconds: tool('actionDurationSeconds'),
  error: part(
    tool('errorType'),
    tool('errorMessage'),
    tool('actionTimestamp'),
    tool('arguments'),
    tool('actionIsText'),
  ),
  next_state_a11y_tree: tool('nextA11yTree'),
  next_state_screenshot_file: tool('nextScreenshotUri'),
}

/** The writer sets 0.0 for a failed action, otherwise the environment's own number. */
export const FAILED_RESULT = { ...RESULT, reward: tool('reward', pythonFloatForm) }

/** The `error` of a result, which repeats its time and action. */
export const ERROR = {
  type: tool('errorType'),
  message: tool('errorMessage'),
  timestamp: part(tool('actionTimestamp')),
  action: part(tool('arguments'), tool('actionIsText')),
}

/** One of the `errors` of a step, on an exception event of the think-act span. */
export const STEP_ERROR = {
  type: exception('type'),
  message: exception('message'),
  timestamp: exception('timestamp'),
  action: part(exception('action'), exception('actionIsText')),
}

/** A line of a traj.jsonl, on a tool span; its step, on the think-act span above. */
export const LINE = {
  step_num: thinkAct('index', fromOneForm),
  action_timestamp: tool('actionTimestamp'),
  action: part(tool('arguments'), tool('actionIsText')),
  ...OUTCOME,
  screenshot_file: tool('nextScreenshotUri'),
}

/** The line of a crashed run, on the agent span. */
export const CRASH = { Error: agent('errorMessage') }
