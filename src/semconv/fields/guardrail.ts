import { ATTR } from '../attributes.js'
import { boolean, double, int, json, text, textList } from '../field.js'

/** `run_guardrail`: one risk assessment, with the world model's prediction when there is one. */
export const guardrailFields = {
  name: text(ATTR.guardrailName, 'The guardrail.'),
  score: double(ATTR.riskScore, 'Risk from 0 (none) to 1.'),
  isSafe: boolean(ATTR.riskIsSafe, 'Whether the guardrail let the action pass.'),
  policies: textList(ATTR.riskViolatedPolicyIds, 'The ids of the policies that the action violates.'),
  explanation: text(ATTR.riskExplanation, 'Why the guardrail decided so.', { content: true }),
  actionIndex: int(ATTR.riskActionIndex, 'The proposed action that was judged, from 0, before any were filtered out.'),
  actionTaken: boolean(ATTR.riskActionTaken, 'Whether the action was taken; absent where that is not known.'),
  repeated: boolean(ATTR.riskRepeated, 'True for an assessment that repeats another one of its cycle.'),
  taskAlignment: text(ATTR.riskTaskAlignment, 'aligned or deviated: whether the action serves the task.'),
  taskAlignmentExplanation: text(ATTR.riskTaskAlignmentExplanation, 'Why it does or does not.', { content: true }),
  worldModelScore: double(ATTR.worldModelRiskScore, 'The world model’s own risk, where the guardrail’s differs.'),
  worldModelExplanation: text(ATTR.worldModelRiskExplanation, 'Its own explanation, where the guardrail’s differs.', {
    content: true,
  }),
  semanticDelta: text(ATTR.worldModelSemanticDelta, 'What the action would change, predicted.', { content: true }),
  elementChanges: json(ATTR.worldModelElementChanges, 'Elements that would appear or vanish.', { content: true }),
  longTermImpact: text(ATTR.worldModelLongTermImpact, 'What would come of it later, predicted.', { content: true }),
  optimizationGuidance: text(ATTR.worldModelOptimizationGuidance, 'What to do instead.', { content: true }),
} as const
