import { decodeFields, guardrailFields, planFields, type Role } from '../../semconv/index.js'
import { isActionTaken } from '../action-taken.js'
import { endOf } from '../plan-progress.js'
import { latestSteps } from '../plan-steps.js'
import { stateOf } from '../state.js'
import { walk, type SpanNode } from '../tree.js'
import { usageBelow } from '../usage.js'
import type { PlanTotals } from './comparison.js'
import { type CallCosts, costKey } from './costs.js'
import { hasOwnTimes } from './describe-unit.js'
import { highest, sumOf } from './sums.js'
import { tokensOf } from './tokens-of.js'

const { score, isSafe, policies, repeated } = guardrailFields
const STATED = { totalDurationSeconds: planFields.totalDurationSeconds }
const JUDGEMENT = { score, isSafe, policies, repeated }

/** What a plan comes to, its sub-plans included. */
export function planTotals(plan: SpanNode, costs: CallCosts = new Map()): PlanTotals {
  const nodes = [...walk(plan)]
  const calls = nodes.filter(({ role }) => role === 'llm')
  const count = (role: Role): number => nodes.filter((node) => node.role === role).length
  const judgements = nodes.filter(({ role }) => role === 'guardrail').flatMap(judgementOf)
  const unsafe = judgements.filter((one) => one.isSafe === false)
  const usage = usageBelow(plan)
  const scores = judgements.flatMap((one) => (one.score === undefined || Number.isNaN(one.score) ? [] : [one.score]))
  return {
    state: stateOf(plan),
    steps: latestSteps(plan).length,
    agents: count('agent'),
    cycles: count('think_act'),
    modelCalls: calls.length,
    toolCalls: count('tool'),
    waits: count('wait'),
    subPlans: count('plan') - (plan.role === 'plan' ? 1 : 0),
    errors: nodes.filter(({ span }) => span.statusCode === 'ERROR' && !span.pending).length,
    inputTokens: usage?.inputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    tokens:
      sumOf(nodes.map((node) => (node.role === 'llm' ? tokensOf(node) : undefined))) ?? usage?.totalTokens ?? null,
    costUsd: sumOf(calls.map(({ span }) => costs.get(costKey(span)))) ?? null,
    durationMs: durationOf(plan),
    risk: highest(scores) ?? null,
    judged: judgements.length,
    unsafe: unsafe.length,
    unsafeStopped: unsafe.filter(({ isTaken }) => isTaken === false).length,
    unsafeTaken: unsafe.filter(({ isTaken }) => isTaken === true).length,
  }
}

/** How long a plan took; of one whose times were made up what its record says itself. */
function durationOf(plan: SpanNode): number | null {
  if (hasOwnTimes(plan)) return Number(endOf(plan.span) - plan.span.startTimeUnixNano) / 1e6
  const { totalDurationSeconds: told } = decodeFields(STATED, plan.span.attributes)
  return told === undefined || Number.isNaN(told) ? null : told * 1000
}

/** What a guardrail judged, but for what repeats another one; the view `risks` has the same. */
function judgementOf(guardrail: SpanNode) {
  const told = decodeFields(JUDGEMENT, guardrail.span.attributes)
  const isJudgement = told.score !== undefined || told.isSafe !== undefined || (told.policies ?? []).length > 0
  return isJudgement && !told.repeated ? [{ ...told, isTaken: isActionTaken(guardrail) }] : []
}
