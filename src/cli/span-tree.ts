import { ATTR } from '../semconv/index.js'
import type { SpanJson } from '../server/index.js'
import { styled, styledState } from './terminal.js'
import { formatDuration, oneLine } from './text-layout.js'

const MAX_REMARK = 60

/** Attributes that describe a span: the first one present is shown. */
const REMARKS = [ATTR.planTitle, ATTR.toolCallArguments, ATTR.waitTitle, ATTR.agentDescription] as const

/** A line of the tree, and its span. */
export interface TreeLine {
  readonly text: string
  readonly span: SpanJson
}

/** The spans of a plan, or of an agent by its step, as an indented tree: states, durations, tokens and risk. */
export const spanTree = (spans: readonly SpanJson[], id: string): string[] =>
  treeLines(spans, id).map(({ text }) => text)

/** The lines of that tree, each with its span. With `now` (Unix milliseconds) open spans have a duration, too. */
export function treeLines(spans: readonly SpanJson[], id: string, now?: number): TreeLine[] {
  const children = new Map<string, SpanJson[]>()
  for (const span of spans) {
    const siblings = children.get(span.parentSpanId)
    if (siblings) siblings.push(span)
    else children.set(span.parentSpanId, [span])
  }
  const root = spans.find(({ attributes }) => isRoot(attributes, id))
  return root ? subtree({ span: root, children, now }, '', '') : []
}

interface Subtree {
  readonly span: SpanJson
  readonly children: ReadonlyMap<string, readonly SpanJson[]>
  readonly now: number | undefined
}

const isRoot = (attributes: SpanJson['attributes'], id: string): boolean =>
  attributes[ATTR.stepId] === id || (attributes[ATTR.planId] === id && attributes[ATTR.spanKind] === 'plan')

function subtree({ span, children, now }: Subtree, branch: string, indent: string): TreeLine[] {
  const below = children.get(span.spanId) ?? []
  return [
    { text: `${styled('dim', branch)}${describeSpan(span, now)}`, span },
    ...below.flatMap((child, index) => {
      const isLast = index === below.length - 1
      const [next, under] = isLast ? ['└─ ', '   '] : ['├─ ', '│  ']
      return subtree({ span: child, children, now }, `${indent}${next}`, `${indent}${under}`)
    }),
  ]
}

/** The duration of a span; of an open one the time since it started, when `now` is given. */
export function durationText({ startTime, durationMs, pending }: SpanJson, now?: number): string {
  if (!pending) return durationMs === 0 ? '' : formatDuration(durationMs)
  return now === undefined ? '' : formatDuration(Math.max(0, now - Date.parse(startTime)))
}

function describeSpan(span: SpanJson, now: number | undefined): string {
  const { name, attributes } = span
  const remark = REMARKS.map((key) => attributes[key]).find((text) => text !== undefined && text !== '')
  const parts = [
    styled('bold', oneLine(name)),
    styledState(stateOf(span)),
    durationText(span, now),
    tokens(attributes),
    risk(attributes),
    remark === undefined ? '' : styled('dim', oneLine(remark, MAX_REMARK)),
  ]
  return parts.filter((part) => part !== '').join('  ')
}

/** The state to show: none for a span that ended without an error or a state of its own. */
function stateOf({ attributes, statusCode, pending, state }: SpanJson): string {
  const isTold = pending || statusCode === 'ERROR' || (attributes[ATTR.state] ?? '') !== ''
  return isTold ? (state ?? attributes[ATTR.state] ?? '') : ''
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
