import { jsonArray, type JsonObject } from '../../json/index.js'
import { storedValues, ofSpan } from '../../record-object/index.js'
import { nearest, type SpanNode } from '../../tree/index.js'
import type { Dialect } from '../dialect.js'
import { convertToReviewLog } from './convert.js'
import { isReviewLog, encodeReviewLog } from './encode.js'
import { eraNamed, ERAS, type Era } from './era.js'

/** PlanRunRecord of my-deep-research's planner, one run per line. */
export const reviewLog: Dialect = {
  name: 'review-log',
  eras: ERAS,
  detect: isReviewLog,
  encode: encodeReviewLog,
  decode: decodeReviewLog,
  style: (era) => eraNamed(era).style,
  convert: convertToReviewLog,
}

/** Writes the canonical record of a planner run. */
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
