import { ATTR, isUnsafe } from '../../semconv/index.js'
import type { SpanJson } from '../../wire/index.js'
import { detailsOf } from './span-details.js'
import { styled, styledState } from '../output/terminal.js'
import { cutToWidth, displayWidth, formatDuration, linesOf, oneLine } from '../output/text-layout.js'

const MAX_REMARK = 60
/** The smallest width, in columns, at which cut text is still useful. */
const MIN_ROOM = 12

/** Attributes that describe a span: the first one present is shown. */
const REMARKS = [ATTR.planTitle, ATTR.toolCallArguments, ATTR.waitTitle, ATTR.agentDescription] as const

/** A line of the tree, and its span. */
export interface TreeLine {
  readonly text: string
  readonly span: SpanJson
}

/** How a tree is drawn. */
export interface TreeOptions {
  /** Unix milliseconds; if given, open spans have a duration, too. */
  readonly now?: number
  /** The width of a line in columns. @default only remarks are cut */
  readonly width?: number
  /** The texts below a span's line: errors, requests, answers and reviews. @default 'none' */
  readonly details?: 'none' | 'cut' | 'full'
}

/** Formats the spans of a plan, or of an agent by its step, as a tree: states, durations, tokens and risk. */
export const spanTree = (spans: readonly SpanJson[], id: string, options?: TreeOptions): string[] =>
  treeLines(spans, id, options).map(({ text }) => text)

/** Returns the lines of the tree, each with its span. */
export function treeLines(spans: readonly SpanJson[], id: string, options: TreeOptions = {}): TreeLine[] {
  const children = new Map<string, SpanJson[]>()
  for (const span of spans) {
    const siblings = children.get(span.parentSpanId)
    if (siblings) siblings.push(span)
    else children.set(span.parentSpanId, [span])
  }
  const root = spans.find(({ attributes }) => isRoot(attributes, id))
  return root ? subtree({ span: root, children, options }, '', '') : []
}

interface Subtree {
  readonly span: SpanJson
  readonly children: ReadonlyMap<string, readonly SpanJson[]>
  readonly options: TreeOptions
}

const isRoot = (attributes: SpanJson['attributes'], id: string): boolean =>
  attributes[ATTR.stepId] === id || (attributes[ATTR.planId] === id && attributes[ATTR.spanKind] === 'plan')

function subtree({ span, children, options }: Subtree, branch: string, indent: string): TreeLine[] {
  const below = children.get(span.spanId) ?? []
  const stem = `${indent}${below.length > 0 ? '│  ' : '   '}`
  return [
    { text: `${styled('dim', branch)}${describeSpan(span, options, branch.length)}`, span },
    ...detailLines(span, options, stem).map((text) => ({ text, span })),
    ...below.flatMap((child, index) => {
      const isLast = index === below.length - 1
      const [next, under] = isLast ? ['└─ ', '   '] : ['├─ ', '│  ']
      return subtree({ span: child, children, options }, `${indent}${next}`, `${indent}${under}`)
    }),
  ]
}

const LABEL_WIDTH = 10

function detailLines(span: SpanJson, { details = 'none', width = Infinity }: TreeOptions, stem: string): string[] {
  if (details === 'none') return []
  const room = Math.max(MIN_ROOM, width - stem.length - LABEL_WIDTH)
  return detailsOf(span, { isFull: details === 'full' }).flatMap(([label, text]) => {
    const shown = details === 'full' ? linesOf(text) : [cutToWidth(oneLine(text), room)]
    return shown.map((line, index) => {
      const name = (index === 0 ? label : '').padEnd(LABEL_WIDTH)
      return `${styled('dim', `${stem}${name}`)}${label === 'error' ? styled('red', line) : line}`
    })
  })
}

/** The duration of a span; for an open span the time since its start, if `now` is given. */
export function durationText({ startTime, durationMs, pending }: SpanJson, now?: number): string {
  if (!pending) return durationMs === 0 ? '' : formatDuration(durationMs)
  return now === undefined ? '' : formatDuration(Math.max(0, now - Date.parse(startTime)))
}

function describeSpan(span: SpanJson, { now, width = Infinity }: TreeOptions, indent: number): string {
  const { name, attributes } = span
  const remark = REMARKS.map((key) => attributes[key]).find((text) => text !== undefined && text !== '')
  const facts = [styledState(stateOf(span)), durationText(span, now), tokens(attributes), risk(attributes)].filter(
    (part) => part !== '',
  )
  const room = width - indent - displayWidth(facts.map((fact) => `  ${fact}`).join(''))
  const shownName = cutToWidth(oneLine(name), Math.max(MIN_ROOM, room))
  const left = Math.min(MAX_REMARK, room - displayWidth(shownName) - 2)
  const shownRemark = remark === undefined || left < MIN_ROOM ? '' : cutToWidth(oneLine(remark), left)
  return [styled('bold', shownName), ...facts, ...(shownRemark === '' ? [] : [styled('dim', shownRemark)])].join('  ')
}

/** The state to show; empty for a span that ended without an error and without a state attribute. */
function stateOf({ attributes, statusCode, pending, state }: SpanJson): string {
  const isShown = pending || statusCode === 'ERROR' || (attributes[ATTR.state] ?? '') !== ''
  return isShown ? (state ?? attributes[ATTR.state] ?? '') : ''
}

function tokens(attributes: SpanJson['attributes']): string {
  const input = attributes[ATTR.usageInputTokens]
  const output = attributes[ATTR.usageOutputTokens]
  if (input !== undefined || output !== undefined) return `${input ?? '?'} → ${output ?? '?'} tokens`
  const total = attributes[ATTR.usageRollupTotalTokens]
  return total === undefined ? '' : `${total} tokens`
}

function risk(attributes: SpanJson['attributes']): string {
  const { [ATTR.riskScore]: score, [ATTR.riskIsSafe]: isSafe } = attributes
  const words = score === undefined ? 'unsafe' : `risk ${score}`
  if (isUnsafe(attributes)) return styled('red', words)
  if (score === undefined) return ''
  return isSafe === 'true' ? styled('green', words) : words
}
