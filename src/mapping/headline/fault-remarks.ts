import type { Failure } from '../faults/index.js'
import { ancestors, errorText, oneLine, stateIfBegun, type SpanNode } from '../tree/index.js'
import type { StepOf } from './place.js'
import { nearestAgent, othersText, type Remark, subjectOf } from './remark.js'

/** The number of different failures that a headline describes; it counts the others. */
const DESCRIBED = 2

interface FailureGroup {
  readonly text: string
  count: number
  /** The failure of the group that went furthest, of several the last. */
  failure: Failure
  reach: number
}

/**
 * Describes the failures of a plan. Failures of the same tool, model or agent whose texts differ only by numbers and
 * ids are one group. The group that ended the plan comes first, then those that failed a step, then the most frequent.
 */
export function faultRemarks(
  failures: readonly Failure[],
  { head, stepOf }: { readonly head: SpanNode; readonly stepOf: (node: SpanNode) => StepOf | undefined },
): Remark[] {
  const groups = new Map<string, FailureGroup>()
  for (const failure of failures) {
    const text = textOf(failure)
    const reach = failure.reached === head ? 2 : failedStep(failure) ? 1 : 0
    const key = text.replaceAll(VARYING, '#')
    const group = groups.get(key)
    if (!group) {
      groups.set(key, { text, count: 1, failure, reach })
      continue
    }
    group.count++
    if (reach >= group.reach) Object.assign(group, { failure, reach })
  }
  const inOrder = [...groups.values()].sort((a, b) => b.reach - a.reach || b.count - a.count)
  const others = inOrder.slice(DESCRIBED).reduce((sum, { count }) => sum + count, 0)
  return inOrder.slice(0, DESCRIBED).map(({ text, count, failure }, at): Remark => {
    const step = failedStep(failure)
    const parts = [
      count === 1 ? text : `${text}, ${count} times`,
      step && `step ${[String(step.index + 1), step.title].filter(Boolean).join(' ')} failed`,
    ]
    const rest = at === DESCRIBED - 1 ? othersText(others, 'failure') : ''
    return { kind: 'fault', text: parts.filter(Boolean).join('; ') + rest, node: failure.node }
  })

  function failedStep({ node, reached }: Failure): StepOf | undefined {
    const step = stepOf(node)
    if (!step || stateIfBegun(step.agent) !== 'failed') return undefined
    return [step.agent, ...ancestors(step.agent)].includes(reached) ? step : undefined
  }
}

const UNSAID = 'failed without a message'

/** Long numbers, durations, ids and hashes, which differ between failures of one cause. */
const VARYING =
  /0x[\da-f]+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[a-f]*\d)[\da-f]{8,}|\d{4,}|\d+(?:\.\d+)? ?m?s\b/gi

function textOf({ node, errors }: Failure): string {
  const last = errors.at(-1)
  const text = oneLine(last ? errorText(last) || (last.type ?? '') : '') || UNSAID
  const agent = node.role === 'think_act' ? nearestAgent(node) : undefined
  const subject = oneLine(subjectOf(agent ?? node))
  if (subject === '' || text.startsWith(subject)) return text
  return text === UNSAID ? `${subject} ${text}` : `${subject}: ${text}`
}
