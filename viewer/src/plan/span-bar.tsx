import { durationText } from '../model/quantity.js'
import type { Row } from '../model/row.js'
import { breaksShown } from './time-axis.js'
import type { TimeWindow } from './time-window.js'

interface SpanBarProps {
  readonly row: Row
  /** Milliseconds. */
  readonly length: number
  readonly time: TimeWindow
}

/** The positions beyond which a label has no room on the right, or on the left. */
const RIGHTMOST = 0.86
const LEFTMOST = 0.14

/** The time of a span, on the common axis. */
export function SpanBar({ row, length, time }: SpanBarProps) {
  const left = time.shareOf(row.start)
  const right = time.shareOf(row.start + length)
  if (right < 0 || left > 1) return <span class="track" />
  const from = Math.min(1, Math.max(0, left))
  const to = Math.min(1, Math.max(0, right))
  const place = to <= RIGHTMOST ? 'after' : from >= LEFTMOST ? 'before' : 'inside'
  // A waiting span waits all the time; during a wait, other spans do nothing.
  const idle = row.role === 'wait' ? [] : breaksShown(time).filter((one) => one.left >= left && one.left < right)
  return (
    <span class="track">
      <span
        class={`bar${row.pending ? ' pending' : ''}${row.failed ? ' failed' : ''}`}
        data-role={row.role ?? 'other'}
        style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
      />
      {idle.map(({ from: begin, left: at, width }) => {
        const cut = Math.max(at, 0)
        return (
          <span
            key={begin}
            class="bar-break"
            style={{ left: `${cut * 100}%`, width: `${(Math.min(at + width, to) - cut) * 100}%` }}
          />
        )
      })}
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
