import { again, boolean, double, int, json, text } from '../field.js'
import { agentFields } from './agent-fields.js'
import { nextObservationFields, outcomeFields } from './environment-fields.js'
import { planFields } from './plan-fields.js'

/** `execute_tool`: one tool call. */
export const toolFields = {
  name: text('gen_ai.tool.name', 'The tool.', { column: 'ToolName', stored: 'ToolName', fewValues: true }),
  callId: text('gen_ai.tool.call.id', 'The id of the call; a sub-plan names it as its parent.', {
    structural: true,
  }),
  type: text('gen_ai.tool.type', 'function, extension or datastore.', { column: 'ToolType' }),
  description: text('gen_ai.tool.description', 'What the tool is for.', { column: 'ToolDescription' }),
  arguments: text('gen_ai.tool.call.arguments', 'The arguments, as the caller wrote them.', { content: true }),
  result: text('gen_ai.tool.call.result', 'The result, as the tool wrote it.', { content: true }),
  group: text(
    'planspan.tool.group',
    'The toolset that the tool belongs to: browser, shell, file, search, message, mcp.',
    { column: 'ToolGroup' },
  ),
  content: json('planspan.tool.content', 'The part of the call that the user sees.', { content: true }),
  brief: text('planspan.tool.brief', 'The call in a few words, for the user.', { content: true }),
  actionIndex: int('planspan.action.index', 'The position among the actions of the cycle, from 0.'),
  actionIsText: boolean('planspan.action.is_text', 'True when the arguments look like JSON and are text.'),
  actionDurationSeconds: double(
    'planspan.action.duration_seconds',
    'The duration of the action that the record states, seconds.',
    { stored: 'ActionDurationSeconds' },
  ),
  resultParts: json('planspan.tool.result_parts', 'The result as a list of parts, if it is more than a text.', {
    content: true,
  }),
  resultIndex: int(
    'planspan.tool.result_index',
    'The position among the results of the cycle, if it is not the call’s own.',
  ),
  resultExtra: json('planspan.tool.result_extra', 'Other values of the result in the record, an object.', {
    content: true,
  }),
  subTrajectories: json('planspan.tool.sub_trajectories', 'The trajectories that the result refers to, a list.', {
    content: true,
  }),
  extra: again(planFields.extra, 'Other values of the call in the record, an object.'),
  ...outcomeFields,
  ...nextObservationFields,
  stepId: again(agentFields.stepId, 'The id of the step that the call is for.'),
  noteCount: int('planspan.search.note_count', 'How many notes were taken from a search.'),
  resultCount: int('planspan.search.result_count', 'How many results a search found.'),
  appliedMaxResults: int('planspan.search.applied_max_results', 'How many results a search might find.'),
  appliedMaxNotes: int('planspan.search.applied_max_notes', 'How many notes might be taken from it.'),
  durationSeconds: double('planspan.search.duration_seconds', 'How long a search took, seconds.', {
    stored: 'DurationSeconds',
  }),
  degradationMode: text('planspan.search.degradation_mode', 'How a search was cut to save budget.', {
    fewValues: true,
  }),
} as const
