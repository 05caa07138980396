import type { Role, ROLE_FIELDS } from '../../../semconv/index.js'
import { booleanForm, intForm, jsonForm, pythonFloatForm, textForm, textListForm, type Form } from '../../form.js'
import type { Key } from './present.js'
import { rewardForm } from './reward.js'

const own =
  <R extends Role>() =>
  (field: keyof (typeof ROLE_FIELDS)[R] & string, form: Form = textForm): Key => ({ field, form })

const plan = own<'plan'>()
const step = own<'think_act'>()
const guardrail = own<'guardrail'>()
const llm = own<'llm'>()
const tool = own<'tool'>()

const orNull = (key: Key): Key => ({ ...key, orNull: true })

const cumulativeStats = {
  total_tokens_used: plan('cumulativeTotalTokens', intForm),
  total_world_model_tokens_used: plan('cumulativeWorldModelTokens', intForm),
  total_harmonyguard_tokens_used: plan('cumulativeHarmonyguardTokens', intForm),
  total_reactive_tokens_used: plan('cumulativeReactiveTokens', intForm),
  total_steps: plan('cumulativeSteps', intForm),
  total_actions_executed: plan('cumulativeActions', intForm),
} as const

/** The task on the plan span; `task_params` follows the instruction. */
export const taskShape = {
  task_id: plan('taskId'),
  task_instruction: plan('request'),
  injection: orNull(plan('taskInjection', jsonForm)),
  jailbreak: plan('taskJailbreak', booleanForm),
} as const

/** What a run adds when it ends, on the plan span. The minutes follow from the seconds. */
export const totalsShape = {
  total_duration_seconds: plan('totalDurationSeconds', pythonFloatForm),
  total_duration_minutes: plan('totalDurationMinutes', pythonFloatForm),
  cumulative_stats: cumulativeStats,
} as const

/** A step on its think-act span, but for what its chat, guardrails, tools and events hold. */
export const stepShape = {
  step_idx: step('index', intForm),
  timestamp: step('timestamp'),
  screenshot_file: step('screenshotUri'),
  a11y_tree: step('a11yTree'),
  _empty_step: step('empty', booleanForm),
  step_duration_seconds: step('durationSeconds', pythonFloatForm),
  reward: step('reward', pythonFloatForm),
  done: step('done', booleanForm),
  info: step('info', jsonForm),
  action_timestamp: step('actionTimestamp'),
  next_state_a11y_tree: step('nextA11yTree'),
  next_state_screenshot_file: step('nextScreenshotUri'),
  plan: { current_plan: step('planText'), plan_steps: step('steps', textListForm) },
  cumulative_stats: cumulativeStats,
  env_state: {
    step_number: step('envStepNumber', intForm),
    action_history_length: step('envActionHistoryLength', intForm),
  },
} as const

/** `safety_info.plan_update` on the think-act span. */
export const planUpdateShape = {
  should_update_plan: step('planUpdateNeeded', booleanForm),
  optimization_guidance: step('planUpdateGuidance'),
  update_reason: step('planUpdateReason'),
} as const

const predictionShape = (score: Key, explanation: Key) =>
  ({
    semantic_delta: orNull(guardrail('semanticDelta')),
    element_changes: guardrail('elementChanges', jsonForm),
    long_term_impact: orNull(guardrail('longTermImpact')),
    risk_explanation: explanation,
    violated_policy_ids: guardrail('policies', textListForm),
    optimization_guidance: orNull(guardrail('optimizationGuidance')),
    risk_score: score,
  }) as const

const score = guardrail('score', pythonFloatForm)
const explanation = guardrail('explanation')

/** A step's own `world_model_output` on a guardrail span. */
export const worldModelShape = predictionShape(score, explanation)

/** `safety_info.action_N` on a guardrail span. */
export const assessmentShape = {
  risk_score: score,
  risk_explanation: explanation,
  is_safe: guardrail('isSafe', booleanForm),
  world_model_output: predictionShape(
    guardrail('worldModelScore', pythonFloatForm),
    guardrail('worldModelExplanation'),
  ),
  task_alignment: guardrail('taskAlignment'),
  task_alignment_explanation: guardrail('taskAlignmentExplanation'),
} as const

/** The four token usages on chat spans. The total follows from the two others. */
export const usageShape = {
  model: llm('responseModel'),
  prompt_tokens: llm('inputTokens', intForm),
  completion_tokens: llm('outputTokens', intForm),
  total_tokens: llm('totalTokens', intForm),
} as const

/** An action's result on its tool span, but for the action and the error. */
export const resultShape = {
  action_timestamp: tool('actionTimestamp'),
  reward: tool('reward', rewardForm),
  done: tool('done', booleanForm),
  info: tool('info', jsonForm),
  action_duration_seconds: tool('actionDurationSeconds', pythonFloatForm),
  next_state_a11y_tree: tool('nextA11yTree'),
  next_state_screenshot_file: tool('nextScreenshotUri'),
} as const

/** A line of a traj.jsonl on its tool span, but for the number of the step and the action. */
export const trajLineShape = {
  action_timestamp: tool('actionTimestamp'),
  reward: tool('reward', rewardForm),
  done: tool('done', booleanForm),
  info: tool('info', jsonForm),
  screenshot_file: tool('nextScreenshotUri'),
} as const
