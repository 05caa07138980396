import { ATTR } from '../semconv/index.js'
import type { SpanJson } from '../server/index.js'
import { formatDuration } from './duration.js'
import { styledState } from './state-style.js'
import { oneLine, styled } from './terminal.js'

const MAX_REMARK = 60

/** What a span is about, the first that it has. */
const REMARKS = [ATTR.planTitle, ATTR.toolCallArguments, ATTR.waitTitle, ATTR.agentDescription] as const

/** The spans of a plan, or of an agent by its step, as an indented tree: states, durations, tokens and risk. */
export function spanTree(spans: readonly SpanJson[], id: string): string[] {
  const children = new Map<string, SpanJson[]>()
  for (const span of spans) {
    const siblings = children.get(span.parentSpanId)
    if (siblings) siblings.push(span)
    else children.set(span.parentSpanId, [span])
  }
  const root = spans.find(({ attributes }) => isRoot(attributes, id))
  return root ? subtree(root, children, '', '') : []
}

const isRoot = (attributes: SpanJson['attributes'], id: string): boolean =>
  attributes[ATTR.stepId] === id || (attributes[ATTR.planId] === id && attributes[ATTR.spanKind] === 'plan')

function subtree(
  span: SpanJson,
  children: ReadonlyMap<string, readonly SpanJson[]>,
  branch: string,
  indent: string,
): string[] {
  const below = children.get(span.spanId) ?? []
  return [
    `${styled('dim', branch)}${describeSpan(span)}`,
    ...below.flatMap((child, index) => {
      const isLast = index === below.length - 1
      return subtree(child, children, `${indent}${isLast ? '└─ ' : '├─ '}`, `${indent}${isLast ? '   ' : '│  '}`)
    }),
  ]
}

function describeSpan(span: SpanJson): string {
  const { name, attributes, durationMs, pending } = span
  const remark = REMARKS.map((key) => attributes[key]).find((text) => text !== undefined && text !== '')
  const parts = [
    styled('bold', oneLine(name)),
    styledState(stateOf(span)),
    pending || durationMs === 0 ? '' : formatDuration(durationMs),
    tokens(attributes),
    risk(attributes),
    remark === undefined ? '' : styled('dim', oneLine(remark, MAX_REMARK)),
  ]
  return parts.filter((part) => part !== '').join('  ')
}

function stateOf({ attributes, statusCode, pending }: SpanJson): string {
  const state = attributes[ATTR.state]
  if (state !== undefined && state !== '') return state
  if (statusCode === 'ERROR') return 'failed'
  return pending ? 'running' : ''
}

function tokens(attributes: SpanJson['attributes']): string {
  const input = attributes[ATTR.usageInputTokens]
  const output = attributes[ATTR.usageOutputTokens]
  if (input !== undefined || output !== undefined) return `${input ?? '?'} → ${output ?? '?'} tokens`
  const total = attributes[ATTR.usageRollupTotalTokens]
  return total === undefined ? '' : `${total} tokens`
}

function risk(attributes: SpanJson['attributes']): string {
  const score = attributes[ATTR.riskScore]
  return score === undefined ? '' : styled(attributes[ATTR.riskIsSafe] === 'false' ? 'red' : 'green', `risk ${score}`)
}
