import { jsonArray, type JsonObject } from '../../json/node.js'
import { storedValues } from '../../record-object/homes.js'
import { ofSpan } from '../../record-object/record-object.js'
import { nearest, type SpanNode } from '../../tree/span-node.js'
import { eraNamed, type Era } from './era.js'

/** The canonical record of a planner run. */
export function decodeReviewLog(node: SpanNode, eraName: string): JsonObject {
  const era = eraNamed(eraName)
  const [agent] = nearest(node, 'agent')
  const parts = { researcher: agent && researcherObject(agent, era) }
  return ofSpan(node, era.objects.run.write({ plan: storedValues(node), parts }))
}

function researcherObject(node: SpanNode, { objects: { researcher, call } }: Era): JsonObject {
  const calls = nearest(node, 'tool').map((tool) => ofSpan(tool, call.write({ tool: storedValues(tool) })))
  return ofSpan(node, researcher.write({ agent: storedValues(node), parts: { calls: jsonArray(calls) } }))
}
