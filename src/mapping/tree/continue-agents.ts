import { ATTR } from '../../semconv/index.js'
import { shiftsOf } from './continue-numbers.js'
import { childrenKey } from './gaps.js'
import { mergeNodes, type Parts } from './merge-nodes.js'
import { nearest, type SpanNode } from './span-node.js'

/** Joins the agents that continue a step in a later segment. Their cycles follow one another. */
export function continueAgents(plan: SpanNode): void {
  const runs = new Map<string, [SpanNode, ...SpanNode[]]>()
  const joined: Parts[] = []
  for (const agent of nearest(plan, 'agent', ['planning'])) {
    const stepId = agent.span.attributes[ATTR.stepId] ?? ''
    const run = runs.get(stepId)
    if (stepId !== '' && run && (run.at(-1)?.segment ?? 0) < agent.segment) {
      if (run.length === 1) joined.push(run)
      run.push(agent)
    } else runs.set(stepId, [agent])
  }
  for (const parts of joined) {
    renumberCycles(parts)
    for (const part of parts) dropOwnCount(part)
    mergeNodes(parts, 'first')
  }
}

/** Renumbers the cycles of later parts that start counting from 0 again. */
function renumberCycles(parts: Parts): void {
  const cycles = parts.map((part) => nearest(part, 'think_act'))
  for (const [at, shift] of shiftsOf(cycles.map((list) => list.map(indexOf))).entries()) {
    for (const cycle of shift > 0 ? (cycles[at] ?? []) : []) {
      if (!Number.isSafeInteger(indexOf(cycle))) continue
      const index = String(indexOf(cycle) + shift)
      cycle.span = { ...cycle.span, attributes: { ...cycle.span.attributes, [ATTR.stepIndex]: index } }
    }
  }
}

const indexOf = ({ span }: SpanNode): number => Number(span.attributes[ATTR.stepIndex] ?? Number.NaN)

/** Drops the cycle count of a part, because it counts the cycles of that part only. */
function dropOwnCount(part: SpanNode): void {
  const { [ATTR.agentCurrentStep]: count, ...rest } = part.span.attributes
  if (count !== undefined && count === rest[childrenKey('think_act')]) part.span = { ...part.span, attributes: rest }
}
