import { decodeFields, planFields, type Role } from '../../semconv/index.js'
import type { CostOfCall } from '../usage/index.js'
import { failuresOf, isNotTaken } from '../faults/index.js'
import { figuresOf } from '../facts/index.js'
import { endOf, stateOf, walk, type SpanNode } from '../tree/index.js'
import { latestSteps } from '../plan/index.js'
import type { PlanTotals } from './comparison.js'
import { hasOwnTimes } from './describe-unit.js'

const STATED = { totalDurationSeconds: planFields.totalDurationSeconds }

/** Returns the totals of a plan, including its sub-plans. */
export function planTotals(plan: SpanNode, costOfCall: CostOfCall = () => undefined): PlanTotals {
  const nodes = [...walk(plan)]
  const count = (role: Role): number => nodes.filter((node) => node.role === role).length
  const figures = figuresOf(nodes, costOfCall)
  const { modelCalls, judged, unsafe, unsafeStopped, unsafeTaken } = figures
  return {
    state: stateOf(plan),
    steps: latestSteps(plan).length,
    agents: count('agent'),
    cycles: count('think_act'),
    modelCalls,
    toolCalls: nodes.filter((node) => node.role === 'tool' && !isNotTaken(node)).length,
    waits: count('wait'),
    subPlans: count('plan') - (plan.role === 'plan' ? 1 : 0),
    failures: failuresOf([plan]).length,
    inputTokens: figures.usage?.inputTokens ?? null,
    outputTokens: figures.usage?.outputTokens ?? null,
    tokens: figures.tokens ?? null,
    costUsd: figures.costUsd ?? null,
    durationMs: durationOf(plan, nodes),
    risk: figures.risk ?? null,
    judged,
    unsafe,
    unsafeStopped,
    unsafeTaken,
  }
}

/**
 * Returns the duration of a plan until the last end in it, as in lists. If its times were derived, returns the duration
 * that its record states.
 */
function durationOf(plan: SpanNode, nodes: readonly SpanNode[]): number | null {
  if (hasOwnTimes(plan)) {
    const end = nodes.reduce((latest, { span }) => (endOf(span) > latest ? endOf(span) : latest), 0n)
    return Number(end - plan.span.startTimeUnixNano) / 1e6
  }
  const { totalDurationSeconds: seconds } = decodeFields(STATED, plan.span.attributes)
  return seconds === undefined || Number.isNaN(seconds) ? null : seconds * 1000
}
