import { durationText } from '../model/quantity.js'
import type { Row } from '../model/row.js'
import { shareOf } from '../model/time-range.js'
import type { TimeWindow } from './time-window.js'

interface SpanBarProps {
  readonly row: Row
  /** Milliseconds. */
  readonly length: number
  readonly time: TimeWindow
}

/** Right of this there is no room for a text, left of that neither. */
const RIGHTMOST = 0.86
const LEFTMOST = 0.14

/** When a span was, beside the others. */
export function SpanBar({ row, length, time }: SpanBarProps) {
  const range = time.range.value
  const left = shareOf(row.start, range)
  const right = shareOf(row.start + length, range)
  if (right < 0 || left > 1) return <span class="track" />
  const from = Math.min(1, Math.max(0, left))
  const to = Math.min(1, Math.max(0, right))
  const place = to <= RIGHTMOST ? 'after' : from >= LEFTMOST ? 'before' : 'inside'
  return (
    <span class="track">
      <span
        class={`bar${row.pending ? ' pending' : ''}${row.failed ? ' failed' : ''}`}
        data-role={row.role ?? 'other'}
        style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
      />
      <span
        class={`bar-label number ${place}`}
        data-role={row.role ?? 'other'}
        style={
          place === 'after' ? { left: `${to * 100}%` } : { right: `${(1 - (place === 'before' ? from : to)) * 100}%` }
        }
      >
        {durationText(length)}
      </span>
    </span>
  )
}
