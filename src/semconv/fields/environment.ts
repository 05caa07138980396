import { ATTR } from '../attributes.js'
import { boolean, double, int, json, text } from '../field.js'

/** Running totals: of a whole plan, or up to a step. */
export const cumulativeFields = {
  cumulativeTotalTokens: int(ATTR.cumulativeTotalTokens, 'Tokens of the agent’s own model calls so far.'),
  cumulativeWorldModelTokens: int(ATTR.cumulativeWorldModelTokens, 'Tokens of the world model so far.'),
  cumulativeHarmonyguardTokens: int(ATTR.cumulativeHarmonyguardTokens, 'Tokens of HarmonyGuard so far.'),
  cumulativeReactiveTokens: int(ATTR.cumulativeReactiveTokens, 'Tokens of the Reactive guardrail so far.'),
  cumulativeSteps: int(ATTR.cumulativeSteps, 'Cycles so far.'),
  cumulativeActions: int(ATTR.cumulativeActions, 'Actions that ran without an error so far.'),
} as const

/** What the environment looks like after an action, or after a cycle. */
export const nextObservationFields = {
  nextA11yTree: text(ATTR.observationNextA11yTree, 'The accessibility tree afterwards.', { content: true }),
  nextScreenshotUri: text(ATTR.observationNextScreenshotUri, 'The screenshot taken afterwards.'),
} as const

/** What came of an action, or of a cycle that is one action. */
export const outcomeFields = {
  actionTimestamp: text(ATTR.actionTimestamp, 'The start of the action as the record writes it.'),
  reward: double(ATTR.actionReward, 'The environment’s reward.'),
  done: boolean(ATTR.actionDone, 'Whether the environment says that the task is over.'),
  info: json(ATTR.actionInfo, 'What else the environment said, an object.', { content: true }),
} as const
