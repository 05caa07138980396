import { ATTR } from '../../semconv/index.js'
import type { SpanJson } from '../../wire/index.js'
import { durationText, treeLines } from './span-tree.js'
import { styled, styledState } from '../output/terminal.js'
import { oneLine } from '../output/text-layout.js'

export interface FollowView {
  readonly id: string
  readonly spans: readonly SpanJson[]
  /** The height of the terminal. */
  readonly rows: number
  /** Unix milliseconds. */
  readonly now: number
}

const HINT = 'Ctrl-C stops watching; the plan continues.'

/** Formats a running plan for one screen: its state, duration and tokens, then its tree around the active span. */
export function followView({ id, spans, rows, now }: FollowView): string[] {
  const lines = treeLines(spans, id, { now })
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

/** The tokens of all model calls so far, as text. */
function tokensOf(spans: readonly SpanJson[]): string {
  const calls = spans.filter(({ attributes, pending }) => attributes[ATTR.spanKind] === 'llm' && !pending)
  const sum = (key: typeof ATTR.usageInputTokens | typeof ATTR.usageOutputTokens): number =>
    calls.reduce((total, { attributes }) => total + Number(attributes[key] ?? 0), 0)
  const [input, output] = [sum(ATTR.usageInputTokens), sum(ATTR.usageOutputTokens)]
  return input + output === 0 ? '' : `${String(input)} → ${String(output)} tokens`
}

/** Returns the lines around the current one that fit the height, with the number of hidden lines above and below. */
export function windowOf(lines: readonly string[], rows: number, current: number): string[] {
  if (lines.length <= rows) return [...lines]
  const room = Math.max(1, rows - 2)
  const wanted = current - Math.floor((room * 2) / 3)
  // At either end only one row is needed for the number of hidden lines.
  if (wanted <= 1) return [...lines.slice(0, room + 1), `… ${String(lines.length - room - 1)} more below`]
  const last = lines.length - room - 1
  if (wanted >= last) return [`… ${String(last)} more above`, ...lines.slice(last)]
  const below = lines.length - wanted - room
  return [`… ${String(wanted)} more above`, ...lines.slice(wanted, wanted + room), `… ${String(below)} more below`]
}
