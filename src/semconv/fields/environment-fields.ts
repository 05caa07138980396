import { boolean, double, int, json, text } from '../field.js'

/** Running totals of a whole plan, or up to a step. */
export const cumulativeFields = {
  cumulativeTotalTokens: int('planspan.cumulative.total_tokens', 'Tokens of the agent’s own model calls so far.'),
  cumulativeWorldModelTokens: int('planspan.cumulative.world_model_tokens', 'Tokens of the world model so far.'),
  cumulativePolicyGuardrailTokens: int(
    'planspan.cumulative.policy_guardrail_tokens',
    'Tokens of the guardrail that checks policies so far.',
  ),
  cumulativeReactiveGuardrailTokens: int(
    'planspan.cumulative.reactive_guardrail_tokens',
    'Tokens of the guardrail that reacts to actions so far.',
  ),
  cumulativeSteps: int('planspan.cumulative.steps', 'Cycles so far.'),
  cumulativeActions: int('planspan.cumulative.actions', 'Actions that ran without an error so far.'),
} as const

/** The environment after an action, or after a cycle. */
export const nextObservationFields = {
  nextA11yTree: text('planspan.observation.next_a11y_tree', 'The accessibility tree afterwards.', { content: true }),
  nextScreenshotUri: text('planspan.observation.next_screenshot_uri', 'The screenshot taken afterwards.'),
} as const

/** The outcome of an action, or of a cycle that is one action. */
export const outcomeFields = {
  actionTimestamp: text('planspan.action.timestamp', 'The start of the action as the record writes it.', {
    structural: true,
  }),
  reward: double('planspan.action.reward', 'The environment’s reward.'),
  done: boolean('planspan.action.done', 'Whether the environment says that the task is over.'),
  info: json('planspan.action.info', 'Other information from the environment, an object.', { content: true }),
} as const
