import { jsonArray, jsonNumber, jsonString, type JsonArray, type JsonObject } from '../../json/node.js'
import { nearest, type SpanNode } from '../../tree.js'
import { spanObject, writePresent } from './present.js'
import { trajLineShape } from './shapes.js'
import { actionNode } from './tools.js'
import type { SpanValues, ValuesOf } from './values.js'

/** The lines that a plan's spans tell: one an action, and one for the crash of a run. */
export function decodeTraj(
  node: SpanNode,
  valuesOf: ValuesOf,
  isLine: (action: SpanValues) => boolean = () => true,
): JsonArray {
  const lines: JsonObject[] = []
  for (const agent of node.role === 'agent' ? [node] : nearest(node, 'agent', ['planning'])) {
    const cycles = nearest(agent, 'think_act')
    for (const step of cycles.length > 0 ? cycles : [agent]) {
      const { index } = valuesOf(step).own
      for (const tool of nearest(step, 'tool')) {
        const values = valuesOf(tool)
        if (isLine(values)) lines.push(lineOf(tool, values, index))
      }
    }
    const { errorMessage } = valuesOf(agent).every
    if (typeof errorMessage === 'string') {
      const slot = (lines.at(-1)?.slot ?? -1) + 1
      lines.push({ ...spanObject(agent, { Error: jsonString(errorMessage) }), slot })
    }
  }
  return { ...jsonArray(lines), origin: node.span.spanId }
}

function lineOf(tool: SpanNode, values: SpanValues, index: unknown): JsonObject {
  const { action_timestamp, ...rest } = writePresent(values.own, trajLineShape)
  return spanObject(tool, {
    step_num: typeof index === 'number' ? jsonNumber(String(index + 1)) : undefined,
    action_timestamp,
    action: actionNode(values),
    ...rest,
  })
}
