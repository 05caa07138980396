import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { durationText } from '../model/quantity.js'
import { shareOf } from '../model/time-range.js'
import type { TimeWindow } from './time-window.js'

/** How much room the time beside a tick takes, pixels. */
const TEXT_WIDTH = 60
/** Less than this is a click, pixels. */
const SHORTEST_DRAG = 5

/** The time after the plan's begin. A part of it that is dragged over is zoomed to. */
export function TimeAxis({ time }: { readonly time: TimeWindow }) {
  const element = useRef<HTMLDivElement>(null)
  const width = time.width.value
  const drag = useSignal<readonly [number, number] | undefined>(undefined)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      time.width.value = entry?.contentRect.width ?? 600
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  const range = time.range.value
  const { from: start } = time.whole.value
  const shareAt = (event: PointerEvent): number => {
    const box = element.current?.getBoundingClientRect()
    return box ? Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) : 0
  }
  const release = (): void => {
    const [a, b] = drag.peek() ?? [0, 0]
    drag.value = undefined
    if (Math.abs(a - b) * width < SHORTEST_DRAG) return
    const timeAt = (share: number): number => range.from + (range.to - range.from) * share
    time.choose({ from: timeAt(Math.min(a, b)), to: timeAt(Math.max(a, b)) })
  }
  const [a, b] = drag.value ?? [0, 0]
  return (
    <div
      ref={element}
      class="axis"
      title="Drag to zoom; ctrl and the wheel, too"
      onPointerDown={(event) => {
        if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button'))) return
        element.current?.setPointerCapture(event.pointerId)
        drag.value = [shareAt(event), shareAt(event)]
      }}
      onPointerMove={(event) => {
        const from = drag.peek()?.[0]
        if (from !== undefined) drag.value = [from, shareAt(event)]
      }}
      onPointerUp={release}
    >
      {time.ticks.value.map((tick) => (
        <span key={tick} class="tick" style={{ left: `${shareOf(start + tick, range) * 100}%` }}>
          {shareOf(start + tick, range) * width > width - TEXT_WIDTH ? '' : tick === 0 ? '0' : durationText(tick)}
        </span>
      ))}
      {drag.value && (
        <span class="dragged" style={{ left: `${Math.min(a, b) * 100}%`, width: `${Math.abs(a - b) * 100}%` }} />
      )}
      {time.isZoomed.value && (
        <button type="button" class="button show-all" onClick={time.showAll}>
          Show all
        </button>
      )}
    </div>
  )
}
