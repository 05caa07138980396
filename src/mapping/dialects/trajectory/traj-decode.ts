import { jsonArray, type JsonArray, type JsonObject } from '../../json/index.js'
import { type HomeValues, type ValuesOf, ofSpan } from '../../record-object/index.js'
import { nearest, type SpanNode } from '../../tree/index.js'
import { TRAJ_ERA } from './era.js'
import { actionNode } from './tools.js'

const { line, crash } = TRAJ_ERA.objects

/** Writes a plan's spans as lines: one for each action, and one for the crash of a run. */
export function decodeTraj(
  node: SpanNode,
  valuesOf: ValuesOf,
  isLine: (action: HomeValues<'tool'>) => boolean = () => true,
): JsonArray {
  const lines: JsonObject[] = []
  for (const agent of node.role === 'agent' ? [node] : nearest(node, 'agent', ['planning'])) {
    const cycles = nearest(agent, 'think_act')
    for (const step of cycles.length > 0 ? cycles : [agent]) {
      const ofStep = valuesOf(step)
      for (const tool of nearest(step, 'tool')) {
        const values = valuesOf(tool)
        const from = { tool: values, think_act: ofStep, parts: { action: actionNode(values) } }
        if (isLine(values)) lines.push(ofSpan(tool, line.write(from)))
      }
    }
    const crashed = crash.writeUnlessEmpty({ agent: valuesOf(agent) })
    if (crashed) lines.push({ ...ofSpan(agent, crashed), slot: (lines.at(-1)?.slot ?? -1) + 1 })
  }
  return { ...jsonArray(lines), origin: node.span.spanId }
}
