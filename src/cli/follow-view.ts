import { ATTR } from '../semconv/index.js'
import type { SpanJson } from '../server/index.js'
import { windowOf } from './screen.js'
import { durationText, treeLines } from './span-tree.js'
import { styledState } from './state-style.js'
import { oneLine, styled } from './terminal.js'

export interface FollowView {
  readonly id: string
  readonly spans: readonly SpanJson[]
  /** The terminal's height. */
  readonly rows: number
  /** Unix milliseconds. */
  readonly now: number
}

const HINT = 'Ctrl-C stops watching; the plan goes on.'

/** A plan in flight on one screen: how it stands, then its tree, as much of it as fits around what happens now. */
export function followView({ id, spans, rows, now }: FollowView): string[] {
  const lines = treeLines(spans, id, now)
  const [root] = lines
  const head = root
    ? headLine(
        id,
        root.span,
        lines.map(({ span }) => span),
        now,
      )
    : styled('bold', oneLine(id))
  const open = lines.findLastIndex(({ span }) => span.pending)
  const texts = lines.map(({ text }) => text)
  const frame = [head, '', '', styled('dim', HINT)]
  const tree = windowOf(texts, rows - frame.length, open < 0 ? texts.length - 1 : open)
  return [...frame.slice(0, 2), ...tree, ...frame.slice(2)].slice(0, rows)
}

function headLine(id: string, root: SpanJson, spans: readonly SpanJson[], now: number): string {
  const parts = [styled('bold', oneLine(id)), styledState(root.state ?? ''), durationText(root, now), tokensOf(spans)]
  return parts.filter((part) => part !== '').join('  ')
}

/** The tokens of all model calls so far. */
function tokensOf(spans: readonly SpanJson[]): string {
  const calls = spans.filter(({ attributes, pending }) => attributes[ATTR.spanKind] === 'llm' && !pending)
  const sum = (key: typeof ATTR.usageInputTokens | typeof ATTR.usageOutputTokens): number =>
    calls.reduce((total, { attributes }) => total + Number(attributes[key] ?? 0), 0)
  const [input, output] = [sum(ATTR.usageInputTokens), sum(ATTR.usageOutputTokens)]
  return input + output === 0 ? '' : `${String(input)} → ${String(output)} tokens`
}
