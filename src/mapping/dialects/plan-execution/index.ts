import type { Dialect } from '../dialect.js'
import type { JsonObject } from '../../json/index.js'
import type { SpanNode } from '../../tree/index.js'
import { storedValues } from '../../record-object/index.js'
import { decode, type DecodeContext } from './decode.js'
import { isPlanExecution } from './detect.js'
import { encodePlanExecution } from './encode.js'
import { eraNamed, ERAS } from './era.js'
import { extraOf } from './extra.js'
import { awaitedOf, liveAgentsOf, liveSubPlansOf } from './live-parts.js'
import { liveValues } from './live.js'

const LIVE = { valuesOf: liveValues, agentsOf: liveAgentsOf, waitOf: awaitedOf, subPlansOf: liveSubPlansOf } as const

/** PlanExecutionRecord of JManus and Lynxe. */
export const planExecution: Dialect = {
  name: 'plan-execution',
  eras: ERAS,
  detect: isPlanExecution,
  encode: encodePlanExecution,
  decode: (node, era) => decodeNode(node, { era: eraNamed(era), valuesOf: storedValues }),
  style: (era) => eraNamed(era).style,
  carrierIn: ['planspan'],
  convert: (node) => decodeNode(node, { era: ERAS.live, ...LIVE, extraOf }),
}

const decodeNode = (node: SpanNode, context: DecodeContext): JsonObject =>
  decode(node, node.role === 'agent' ? 'agent' : 'plan', context)

/**
 * Writes a plan or agent as Lynxe's two API paths respond, in Lynxe's newest format: plans without the cycles of their
 * agents.
 */
export const decodeAsLynxe = (node: SpanNode, { live }: { readonly live: boolean }): JsonObject =>
  decodeNode(node, {
    era: ERAS.F,
    ...(live ? LIVE : { valuesOf: storedValues }),
    withoutCycles: node.role === 'plan',
  })

export { idleAgentOf } from './live-parts.js'
