import { toolFields, decodeFields } from '../../../semconv/index.js'
import { isNotTaken } from '../../faults/index.js'
import { errorsWithin, errorTexts, type SpanNode } from '../../tree/index.js'
import {
  jsonFromValue,
  jsonObject,
  jsonString,
  type JsonNode,
  type JsonObject,
  tryParseJson,
  bare,
  compactJson,
} from '../../json/index.js'
import { ERAS } from './era.js'
import { extraOf, spanObject } from './span-object.js'
import { spansBelow } from './spans-below.js'

const { objects } = ERAS.planspan

/** A reference to a trajectory in the same file. */
export interface Reference {
  readonly trajectory_id: string
}

/** Returns references to the trajectories that a step's calls started. */
export type Refer = (trajectories: readonly SpanNode[]) => readonly Reference[]

interface Called {
  readonly call: JsonObject
  readonly result: JsonNode | undefined
}

/** Returns a tool call, under an id that is unique in its step, and its result. */
export function calledOf(tool: SpanNode, callId: string, refer: Refer): Called {
  const { callId: ownId, name = '', arguments: given, result } = decodeFields(toolFields, tool.span.attributes)
  const parsed = given === undefined ? undefined : tryParseJson(given)
  const isObject = parsed?.kind === 'object'
  const { spans, trajectories } = spansBelow(tool, () => false)
  const notTaken = isNotTaken(tool)
  const extra = extraOf({
    callId: ownId === callId ? undefined : (ownId ?? null),
    // Values that the format cannot represent, or represents differently.
    arguments: isObject && compactJson(parsed) === given ? undefined : (given ?? null),
    notTaken: notTaken || undefined,
    ...(notTaken ? {} : spanObject(tool, ['callId', 'name', 'arguments', 'result'])),
    result: result === undefined ? null : undefined,
    spans: spans.length > 0 ? spans : undefined,
  })
  const call = objects.toolCall.write({
    tool: {
      callId,
      name,
      arguments: isObject ? given : JSON.stringify(given === undefined ? {} : { arguments: given }),
    },
  })
  if (extra) call.members.push({ key: jsonString('extra'), value: extra })
  const said = result ?? errorOf(tool, notTaken)
  const references = refer(trajectories)
  if (said === undefined && references.length === 0) return { call, result: undefined }
  return { call, result: resultOf({ callId, said, references }) }
}

/** Returns why a call failed. A call that was not made records the reason itself. */
function errorOf(tool: SpanNode, notTaken: boolean): string | undefined {
  const said = errorTexts(errorsWithin(tool, ['plan', 'agent']))
  return said === undefined || notTaken ? said : `Error: ${said}`
}

/** Builds a result. Without a call id it belongs to the whole step. */
export function resultOf({
  callId,
  said,
  references,
}: {
  readonly callId?: string
  readonly said?: string | undefined
  readonly references: readonly Reference[]
}): JsonNode {
  const members: [string, JsonNode][] = []
  if (callId !== undefined) members.push(['source_call_id', jsonString(callId)])
  if (said !== undefined) members.push(['content', jsonString(said)])
  if (references.length > 0)
    members.push(['subagent_trajectory_ref', jsonFromValue(references.map((ref) => ({ ...ref })))])
  return bare(jsonObject(members))
}
