import { append } from '../../base/append.js'
import { ATTR } from '../../semconv/index.js'
import { ancestors, fromBelow, nearest, type SpanNode } from '../tree/index.js'
import { callTokensOf, type ReportedTokens } from './call-tokens.js'

/** Tokens, summed over the model calls below a span. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
}

/**
 * Returns the token usage of all model calls at and below a node. If no call reports any, an adopted plan has the usage
 * that its agents report. Undefined without usage. Snapshots don't count.
 */
export function usageBelow(root: SpanNode): TokenUsage | undefined {
  const sum = callsBelow(root) ?? totalReported(sumsOf(root))
  return sum && withTotal(sum)
}

type Sum = Omit<TokenUsage, 'totalTokens'>

const withTotal = ({ inputTokens, outputTokens, ...rest }: Sum): TokenUsage => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  ...rest,
})

const callsBelow = fromBelow<Sum | undefined>(({ children, ...node }, below) => {
  const reported: (ReportedTokens | undefined)[] = children.map(below)
  if (node.role === 'llm') append(reported, tokensIn(node))
  return totalReported(reported)
})

const tokensIn = (node: Pick<SpanNode, 'span'>): ReportedTokens[] => [callTokensOf(node)].filter(hasTokens)

const hasTokens = ({ inputTokens, outputTokens }: ReportedTokens): boolean =>
  inputTokens !== undefined || outputTokens !== undefined

/** Returns the token usage of some spans of a plan. */
export function usageOf(nodes: readonly SpanNode[]): TokenUsage | undefined {
  const calls = nodes
    .filter(({ role }) => role === 'llm')
    .map(callTokensOf)
    .filter(hasTokens)
  const sum = totalReported(calls) ?? totalReported(nodes.filter(isTopAgent).flatMap(agentTokens))
  return sum && withTotal(sum)
}

/** Whether an agent is not below another agent of its plan. */
function isTopAgent(node: SpanNode): boolean {
  if (node.role !== 'agent') return false
  for (const { role } of ancestors(node)) {
    if (role === 'agent') return false
    if (role === 'plan') return true
  }
  return true
}

const agentTokens = (agent: SpanNode): ReportedTokens[] =>
  ATTR.adoptedConvention in agent.span.attributes ? tokensIn(agent) : []

/** Returns the totals that the topmost adopted agents report. */
function sumsOf(root: SpanNode): ReportedTokens[] {
  const agents = root.role === 'agent' ? [root] : nearest(root, 'agent', ['planning'])
  return agents.flatMap(agentTokens)
}

function totalReported(reported: readonly (ReportedTokens | undefined)[]): Sum | undefined {
  const counted = reported.filter((one) => one !== undefined)
  if (counted.length === 0) return undefined
  const sum = (field: keyof Sum): number => counted.reduce((total, one) => total + (one[field] ?? 0), 0)
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    reasoningTokens: sum('reasoningTokens'),
  }
}

/** Returns the sum of the defined values. Undefined without any. */
export const sumOf = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((sum, value) => (value === undefined ? sum : (sum ?? 0) + value), undefined)

/** Returns the highest of the defined values. Undefined without any. */
export const highest = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((most, value) => (value === undefined || (most ?? value) > value ? most : value), undefined)
