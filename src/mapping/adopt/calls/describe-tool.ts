import { adoptedFields, type FieldValues, toolFields } from '../../../semconv/index.js'
import type { AdoptNode } from '../adopt-node.js'
import { factOf } from '../values/fact-place.js'
import { TOOL_ARGUMENTS, TOOL_CALL_ID, TOOL_DESCRIPTION, TOOL_NAME, TOOL_RESULT } from '../values/fact-places.js'
import { objectIn } from '../values/json-data.js'
import { factOfNode } from '../values/node-facts.js'
import { errorOf, isFailed } from '../outcome/span-failure.js'
import type { ToolCalls } from './tool-calls.js'
import { toolArguments, toolResult } from '../values/tool-values.js'

/** The fields of a tool call, and what was taken from messages. */
export const TOOL_TABLE = { ...toolFields, fromMessages: adoptedFields.fromMessages }

/** Returns the values of a tool call: those of its span, otherwise those in the messages of models. */
export function toolValues(node: AdoptNode, calls: ToolCalls): FieldValues<typeof TOOL_TABLE> {
  const asked = calls.requestOf(node)
  const args = toolArguments(factOfNode(node, TOOL_ARGUMENTS) ?? eventText(node, 'gen_ai.tool.message'))
  // A span may record a single argument as plain text. The model's answer contains all of them.
  const isArgued = objectIn(args) !== undefined || asked?.arguments === undefined
  const own = ownResult(node)
  const seen = own === undefined && !hasErrorText(node) ? calls.resultOf(node)?.text : undefined
  const fromMessages = [
    ...(node.rows.length === 0 ? ['call'] : []),
    ...(isArgued ? [] : ['arguments']),
    ...(seen === undefined ? [] : ['result']),
  ]
  return {
    name: factOfNode(node, TOOL_NAME) ?? asked?.name,
    callId: callIdOf(node, calls),
    arguments: isArgued ? args : asked?.arguments,
    result: own ?? seen,
    description: factOf(node.span, TOOL_DESCRIPTION),
    fromMessages: fromMessages.length > 0 ? fromMessages : undefined,
  }
}

/** Returns the id of a tool call: its own, otherwise that of the call that the model requested. */
export const callIdOf = (tool: AdoptNode, calls: ToolCalls): string | undefined =>
  factOfNode(tool, TOOL_CALL_ID) ?? calls.requestOf(tool)?.id

/** LangSmith writes an empty object for a call that failed without an answer. */
function ownResult(node: AdoptNode): string | undefined {
  const result = toolResult(factOfNode(node, TOOL_RESULT) ?? eventText(node, 'gen_ai.choice'))
  return result === '{}' && isFailed(node) ? undefined : result
}

/** Whether a tool call says why it failed. This is its result. */
const hasErrorText = (node: AdoptNode): boolean => isFailed(node) && Boolean(errorOf(node)?.message)

const eventText = ({ span }: AdoptNode, name: string): string | undefined => {
  const event = span.events.find((one) => one.name === name)
  return event?.attributes['content'] ?? event?.attributes['message']
}
