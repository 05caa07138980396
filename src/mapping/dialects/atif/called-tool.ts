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
} from '../../json/index.js'
import { ERAS } from './era.js'
import { trajectoriesBelow } from './trajectories-below.js'

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
  const { name = '', arguments: given, result } = decodeFields(toolFields, tool.span.attributes)
  const parsed = given === undefined ? undefined : tryParseJson(given)
  const isObject = parsed?.kind === 'object'
  const notTaken = isNotTaken(tool)
  const call = objects.toolCall.write({
    tool: {
      callId,
      name,
      arguments: isObject ? given : JSON.stringify(given === undefined ? {} : { arguments: given }),
    },
  })
  if (!notTaken) call.origin = tool.span.spanId
  const said = result ?? errorOf(tool, notTaken)
  const references = refer(trajectoriesBelow(tool))
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
