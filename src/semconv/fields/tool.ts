import { ATTR } from '../attributes.js'
import { boolean, double, int, json, text } from '../field.js'
import { nextObservationFields, outcomeFields } from './environment.js'

/** `execute_tool`: one tool call. */
export const toolFields = {
  name: text(ATTR.toolName, 'The tool.'),
  callId: text(ATTR.toolCallId, 'The id of the call; a sub-plan names it as its parent.'),
  type: text(ATTR.toolType, 'function, extension or datastore.'),
  description: text(ATTR.toolDescription, 'What the tool is for.'),
  arguments: text(ATTR.toolCallArguments, 'The arguments, as the caller wrote them.', { content: true }),
  result: text(ATTR.toolCallResult, 'The result, as the tool wrote it.', { content: true }),
  group: text(ATTR.toolGroup, 'The toolset that the tool belongs to: browser, shell, file, search, message, mcp.'),
  content: json(ATTR.toolContent, 'What the user is shown of the call.', { content: true }),
  brief: text(ATTR.toolBrief, 'The call in a few words, for the user.', { content: true }),
  actionIndex: int(ATTR.actionIndex, 'The position among the actions of the cycle, from 0.'),
  actionIsText: boolean(ATTR.actionIsText, 'True when the arguments look like JSON and are text.'),
  actionDurationSeconds: double(ATTR.actionDurationSeconds, 'How long the action took as the record tells, seconds.'),
  ...outcomeFields,
  ...nextObservationFields,
  stepId: text(ATTR.stepId, 'The id of the step that the call is for.'),
  noteCount: int(ATTR.researchNoteCount, 'How many notes were taken from a search.'),
  resultCount: int(ATTR.researchResultCount, 'How many results a search found.'),
  appliedMaxResults: int(ATTR.researchAppliedMaxResults, 'How many results a search might find.'),
  appliedMaxNotes: int(ATTR.researchAppliedMaxNotes, 'How many notes might be taken from it.'),
  durationSeconds: double(ATTR.researchDurationSeconds, 'How long a search took, seconds.'),
  degradationMode: text(ATTR.researchDegradationMode, 'How a search was cut to save budget.'),
} as const
