import { boolean, double, int, json, text, textList } from '../field.js'

/** `run_guardrail`: one risk assessment, with the world model's prediction when there is one. */
export const guardrailFields = {
  name: text('planspan.guardrail.name', 'The guardrail.', { column: 'GuardrailName' }),
  score: double('planspan.risk.score', 'Risk from 0 (none) to 1.'),
  isSafe: boolean('planspan.risk.is_safe', 'Whether the guardrail let the action pass.'),
  policies: textList('planspan.risk.violated_policy_ids', 'The ids of the policies that the action violates.', {
    structural: true,
  }),
  explanation: text('planspan.risk.explanation', 'Why the guardrail decided so.', { content: true }),
  actionIndex: int(
    'planspan.risk.action_index',
    'The proposed action that was judged, from 0, before any were filtered out.',
  ),
  actionName: text('planspan.risk.action_name', 'The tool of the judged call, if the guardrail records it.'),
  actionCallId: text('planspan.risk.action_call_id', 'The id of that call.', { structural: true }),
  actionArguments: text('planspan.risk.action_arguments', 'Its arguments.', { content: true }),
  actionTaken: boolean('planspan.risk.action_taken', 'Whether the action was taken; absent where that is not known.'),
  stoppedCalls: json(
    'planspan.risk.stopped_calls',
    'The tool calls that it stopped, as an imported record lists them.',
    {
      content: true,
    },
  ),
  repeated: boolean('planspan.risk.repeated', 'True for an assessment that repeats another one of its cycle.'),
  taskAlignment: text('planspan.risk.task_alignment', 'aligned or deviated: whether the action serves the task.'),
  taskAlignmentExplanation: text('planspan.risk.task_alignment_explanation', 'Why it does or does not.', {
    content: true,
  }),
  worldModelScore: double(
    'planspan.world_model.risk_score',
    'The world model’s own risk, if it differs from the guardrail’s.',
  ),
  worldModelExplanation: text(
    'planspan.world_model.risk_explanation',
    'Its own explanation, if it differs from the guardrail’s.',
    { content: true },
  ),
  semanticDelta: text('planspan.world_model.semantic_delta', 'What the action would change, predicted.', {
    content: true,
  }),
  elementChanges: json('planspan.world_model.element_changes', 'Elements that would appear or vanish.', {
    content: true,
  }),
  longTermImpact: text('planspan.world_model.long_term_impact', 'The predicted later consequences.', {
    content: true,
  }),
  optimizationGuidance: text('planspan.world_model.optimization_guidance', 'What to do instead.', { content: true }),
} as const
