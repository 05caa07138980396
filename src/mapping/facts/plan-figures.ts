import { ATTR } from '../../semconv/index.js'
import { type CostOfCall, highest, sumOf, tokensOf, type TokenUsage, usageOf } from '../usage/index.js'
import type { SpanNode } from '../tree/index.js'
import { judgementOf } from '../faults/index.js'
import { USAGE_ROLES, usageRoleOf } from './span-facts.js'

/** Counts and sums over spans of a plan. */
export interface PlanFigures {
  /** The number of ended spans, without derived ones. */
  readonly spans: number
  /** The number of ended spans with the status ERROR. */
  readonly errors: number
  readonly modelCalls: number
  /** The number of ended model calls without a known cost. */
  readonly unpricedCalls: number
  /** Undefined if no span reports tokens. */
  readonly usage: TokenUsage | undefined
  /** All tokens of model calls. Undefined if none are reported. */
  readonly tokens: number | undefined
  readonly tokensByRole: ReadonlyMap<string, number>
  readonly costUsd: number | undefined
  /** The highest risk score. */
  readonly risk: number | undefined
  readonly judged: number
  readonly unsafe: number
  readonly unsafeStopped: number
  readonly unsafeTaken: number
}

/** Sums up spans of a plan. */
export function figuresOf(nodes: readonly SpanNode[], costOfCall: CostOfCall): PlanFigures {
  const calls = nodes.filter(({ role }) => role === 'llm')
  const ended = nodes.filter(({ span }) => !span.pending)
  const costs = calls.map(costOfCall)
  const judgements = nodes.map(judgementOf).filter((judgement) => judgement !== undefined)
  const unsafe = judgements.filter(({ isUnsafe }) => isUnsafe)
  const usage = usageOf(nodes)
  return {
    spans: ended.filter(({ span }) => span.attributes[ATTR.adoptedMadeUp] === undefined).length,
    errors: ended.filter(({ span }) => span.statusCode === 'ERROR').length,
    modelCalls: calls.length,
    unpricedCalls: calls.filter(({ span }, at) => !span.pending && costs[at] === undefined).length,
    usage,
    tokens: sumOf(calls.map(tokensOf)) ?? usage?.totalTokens,
    tokensByRole: tokensByRole(calls),
    costUsd: sumOf(costs),
    risk: highest(judgements.map((one) => (Number.isNaN(one.score) ? undefined : one.score))),
    judged: judgements.length,
    unsafe: unsafe.length,
    unsafeStopped: unsafe.filter(({ isTaken }) => isTaken === false).length,
    unsafeTaken: unsafe.filter(({ isTaken }) => isTaken === true).length,
  }
}

function tokensByRole(calls: readonly SpanNode[]): Map<string, number> {
  const sums = new Map<string, number>(USAGE_ROLES.map((role) => [role, 0]))
  for (const call of calls) {
    const role = usageRoleOf(call)
    sums.set(role, (sums.get(role) ?? 0) + (tokensOf(call) ?? 0))
  }
  return sums
}
