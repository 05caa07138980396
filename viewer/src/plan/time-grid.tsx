import { shareOf } from '../model/time-range.js'
import { breaksShown, segmentsShown } from './time-axis.js'
import type { TimeWindow } from './time-window.js'

/** The lines of the axis through all rows: ticks, breaks, segment starts, and the pointer. */
export function TimeGrid({ time }: { readonly time: TimeWindow }) {
  const { ticks, range } = time
  return (
    <div class="span-row grid-lines" role="none">
      <span />
      <span class="track">
        {ticks.value.map(({ place }) => (
          <span key={place} class="tick-line" style={{ left: `${shareOf(place, range.value) * 100}%` }} />
        ))}
        {breaksShown(time).map(({ from, left, width }) => (
          <span key={from} class="break" style={{ left: `${left * 100}%`, width: `${width * 100}%` }} />
        ))}
        {segmentsShown(time).map(({ number, left }) => (
          <span key={number} class="segment-line" style={{ left: `${left * 100}%` }} />
        ))}
        <PointerLine time={time} />
      </span>
    </div>
  )
}

function PointerLine({ time: { pointer } }: { readonly time: TimeWindow }) {
  return pointer.value === undefined ? null : <span class="pointer-line" style={{ left: `${pointer.value * 100}%` }} />
}
