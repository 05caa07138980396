import { agentFields, decodeFields, planFields, toolFields } from '../../../semconv/index.js'
import { jsonArray, jsonLiteral, jsonObject, type JsonMember, type JsonNode, type JsonObject } from '../../json/node.js'
import { writeShape } from '../../shape.js'
import { nearest, seqOf, type SpanNode } from '../../tree.js'
import { RESEARCHER } from './encode.js'
import { omittedKeys } from './era.js'
import { callShape, researcherShape, runShape } from './shapes.js'

/** The canonical record of a planner run, as pydantic writes it: every key of its era, nulls included. */
export function decodeReviewLog(node: SpanNode, era: string): JsonObject {
  const omitted = omittedKeys(era)
  const members = writeShape(decodeFields(planFields, node.span.attributes), runShape, omitted)
  const researcher = nearest(node, 'agent')[0]
  const telemetry = researcher && jsonObject([[RESEARCHER, researcherObject(researcher, omitted)]])
  const rest = omitted.has('telemetry') ? [] : [named('telemetry', telemetry ?? jsonLiteral(null))]
  return { kind: 'object', members: [...members, ...rest], origin: node.span.spanId }
}

function researcherObject(node: SpanNode, omitted: ReadonlySet<string>): JsonObject {
  const members = writeShape(decodeFields(agentFields, node.span.attributes), researcherShape, omitted)
  const calls = jsonArray(nearest(node, 'tool').map((call) => callObject(call, omitted)))
  return { kind: 'object', members: [...members, named('calls', calls)], origin: node.span.spanId }
}

function callObject(node: SpanNode, omitted: ReadonlySet<string>): JsonObject {
  const members = writeShape(decodeFields(toolFields, node.span.attributes), callShape, omitted)
  const slot = seqOf(node)
  return { kind: 'object', members, origin: node.span.spanId, ...(slot === undefined ? {} : { slot }) }
}

const named = (key: string, value: JsonNode): JsonMember => ({ key: { kind: 'string', value: key }, value })
