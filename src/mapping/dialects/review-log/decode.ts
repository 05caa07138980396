import { jsonArray, type JsonObject } from '../../json/index.js'
import { storedValues, ofSpan } from '../../record-object/index.js'
import { nearest, type SpanNode } from '../../tree/index.js'
import { eraNamed, type Era } from './era.js'

/** Writes the canonical record of a planner run. */
export function decodeReviewLog(node: SpanNode, eraName: string): JsonObject {
  const era = eraNamed(eraName)
  const [agent] = nearest(node, 'agent')
  const parts = { researcher: agent && researcherObject(agent, era) }
  return ofSpan(node, era.objects.run.write({ plan: storedValues(node), parts }))
}

/** Writes the metrics of a researcher. */
export function researcherObject(node: SpanNode, { objects: { researcher, call } }: Era): JsonObject {
  const calls = nearest(node, 'tool').map((tool) => ofSpan(tool, call.write({ tool: storedValues(tool) })))
  return ofSpan(node, researcher.write({ agent: storedValues(node), parts: { calls: jsonArray(calls) } }))
}
