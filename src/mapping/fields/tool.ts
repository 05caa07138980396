import { ATTR } from '../../semconv/index.js'
import { text } from '../field.js'

/** `execute_tool`: one tool call. */
export const toolFields = {
  name: text(ATTR.toolName, 'The tool.'),
  callId: text(ATTR.toolCallId, 'The id of the call; a sub-plan names it as its parent.'),
  type: text(ATTR.toolType, 'function, extension or datastore.'),
  description: text(ATTR.toolDescription, 'What the tool is for.'),
  arguments: text(ATTR.toolCallArguments, 'The arguments, as the caller wrote them.', { content: true }),
  result: text(ATTR.toolCallResult, 'The result, as the tool wrote it.', { content: true }),
} as const
