import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { durationText } from '../model/quantity.js'
import type { Tick } from '../model/ticks.js'
import { atShare, shareOf } from '../model/time-range.js'
import { clockTime } from '../parts/zone.js'
import type { TimeWindow } from './time-window.js'

/** The room for the time of a tick, pixels. */
const TEXT_WIDTH = 56
/** A shorter movement is a click, pixels. */
const SHORTEST_DRAG = 5

/** The time since the plan's start. Dragging over a part zooms to it. */
export function TimeAxis({ time }: { readonly time: TimeWindow }) {
  const element = useRef<HTMLDivElement>(null)
  const drag = useSignal<readonly [number, number] | undefined>(undefined)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      time.width.value = entry?.contentRect.width ?? 600
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  const shareAt = (event: PointerEvent): number => {
    const box = element.current?.getBoundingClientRect()
    return box ? Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) : 0
  }
  const release = (): void => {
    const [a, b] = drag.peek() ?? [0, 0]
    drag.value = undefined
    if (Math.abs(a - b) * time.width.peek() < SHORTEST_DRAG) return
    const range = time.range.peek()
    time.choose({ from: atShare(Math.min(a, b), range), to: atShare(Math.max(a, b), range) })
  }
  const [a, b] = drag.value ?? [0, 0]
  return (
    <div
      ref={element}
      class="axis"
      title="Drag, or use ctrl and the wheel, to zoom"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        element.current?.setPointerCapture(event.pointerId)
        drag.value = [shareAt(event), shareAt(event)]
      }}
      onPointerMove={(event) => {
        const from = drag.peek()?.[0]
        if (from !== undefined) drag.value = [from, shareAt(event)]
      }}
      onPointerUp={release}
    >
      <Ticks time={time} />
      <Breaks time={time} />
      <Segments time={time} />
      {drag.value && (
        <span class="dragged" style={{ left: `${Math.min(a, b) * 100}%`, width: `${Math.abs(a - b) * 100}%` }} />
      )}
      <PointerTime time={time} />
    </div>
  )
}

function Ticks({ time: { ticks, range, width } }: { readonly time: TimeWindow }) {
  const { from, to } = range.value
  const hasRoom = ({ room }: Tick): boolean => (room / (to - from)) * width.value >= TEXT_WIDTH
  return (
    <>
      {ticks.value.map((tick) => (
        <span key={tick.place} class="tick" style={{ left: `${shareOf(tick.place, range.value) * 100}%` }}>
          {hasRoom(tick) && textOf(tick)}
        </span>
      ))}
    </>
  )
}

function textOf({ after, isBehindBreak }: Tick): string {
  if (isBehindBreak) return after === 0 ? '' : `+${durationText(after)}`
  return after === 0 ? '0' : durationText(after)
}

/** The remains of folded waits, with their durations. */
function Breaks({ time }: { readonly time: TimeWindow }) {
  return (
    <>
      {breaksShown(time).map(({ from, to, left, width }) => (
        <span
          key={from}
          class="break-length"
          style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
          title={`${durationText(to - from)} of waiting, folded`}
        >
          <span>⋯ {durationText(to - from)} ⋯</span>
        </span>
      ))}
    </>
  )
}

/** The visible breaks, with their positions. */
export function breaksShown(time: TimeWindow) {
  return time.map.value.breaks
    .map((one) => ({ ...one, left: time.shareOf(one.from), width: time.shareOf(one.to) - time.shareOf(one.from) }))
    .filter(({ left, width }) => left < 1 && left + width > 0)
}

/** The segments with visible starts, with their positions. */
export function segmentsShown(time: TimeWindow) {
  return time.segments.value
    .map(({ number, start }) => ({ number, left: time.shareOf(start) }))
    .filter(({ left }) => left >= 0 && left <= 1)
}

/** The marks where a plan was resumed. */
function Segments({ time }: { readonly time: TimeWindow }) {
  return (
    <>
      {segmentsShown(time).map(({ number, left }) => (
        <span
          key={number}
          class="segment-number"
          style={{ left: `${left * 100}%` }}
          title={`The plan was resumed here: segment ${number}`}
        >
          {number}
        </span>
      ))}
    </>
  )
}

const RIGHTMOST = 0.8

function PointerTime({ time }: { readonly time: TimeWindow }) {
  const share = time.pointer.value
  if (share === undefined) return null
  const at = time.timeAt(share)
  const style = share < RIGHTMOST ? { left: `${share * 100}%` } : { right: `${(1 - share) * 100}%` }
  return (
    <span class="pointer-time number" style={style}>
      {durationText(Math.max(0, at - time.whole.value.from))} <span class="muted">{clockTime(at)}</span>
    </span>
  )
}
