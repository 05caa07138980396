import { useSignal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'

import { durationText } from '../model/quantity.js'
import { inOrder } from '../model/sums.js'
import { atShare, type Range, shareOf, within } from '../model/time-range.js'
import type { PlanStore } from './plan-store.js'
import type { TimeWindow } from './time-window.js'
import { drawSpans } from './minimap-drawing.js'

/** Plans with fewer spans have no minimap. */
const LONG_SPANS = 40
/** The interval at which a growing plan is redrawn, milliseconds. */
const DRAWN_MS = 250
/** The step of an arrow key, as a share of the whole. */
const KEY_STEP = 1 / 50

interface MinimapProps {
  readonly store: PlanStore
  readonly time: TimeWindow
}

/** The whole plan, with the visible time range, which can be dragged and resized. */
export function Minimap({ store, time }: MinimapProps) {
  if (!time.isZoomed.value && store.tree.value.nodes.size <= LONG_SPANS) return null
  return (
    <div class="span-row minimap">
      <span class="s-name">
        {time.isZoomed.value && (
          <button type="button" class="button" onClick={time.showAll}>
            Show all
          </button>
        )}
      </span>
      <Map store={store} time={time} />
    </div>
  )
}

type Part = 'from' | 'to' | 'both' | 'new'

function Map({ store, time }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const drag = useSignal<{ readonly part: Part; readonly at: number; readonly range: Range } | undefined>(undefined)
  useDrawing(canvas, { store, time })
  const all = time.all.value
  const from = Math.max(0, shareOf(time.range.value.from, all))
  const to = Math.min(1, shareOf(time.range.value.to, all))
  const placeAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = box.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return atShare(Math.min(1, Math.max(0, (clientX - left) / width)), all)
  }
  return (
    <div
      ref={box}
      class="map"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        box.current?.setPointerCapture(event.pointerId)
        const part =
          event.target instanceof HTMLElement ? (event.target.dataset['part'] as Part | undefined) : undefined
        drag.value = { part: part ?? 'new', at: placeAt(event), range: time.range.peek() }
      }}
      onPointerMove={(event) => {
        if (drag.value) time.choose(dragged(drag.value, placeAt(event), all))
      }}
      onPointerUp={() => (drag.value = undefined)}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <span class="map-rest" style={{ left: 0, width: `${from * 100}%` }} />
      <span class="map-rest" style={{ right: 0, width: `${(1 - to) * 100}%` }} />
      <span
        class="map-window"
        {...(time.isZoomed.value && { 'data-part': 'both' })}
        style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
      />
      <Edge time={time} part="from" />
      <Edge time={time} part="to" />
    </div>
  )
}

/** The start or end of the visible range, moved by the pointer or by arrow keys. */
function Edge({ time, part }: { readonly time: TimeWindow; readonly part: 'from' | 'to' }) {
  const { all, range, map, whole, choose } = time
  const place = range.value[part]
  const ends = {
    from: all.value.from,
    to: range.value.to,
    ...(part === 'to' && { from: range.value.from, to: all.value.to }),
  }
  return (
    <span
      class="map-edge"
      data-part={part}
      role="slider"
      tabIndex={0}
      aria-label={part === 'from' ? 'Start of the visible range' : 'End of the visible range'}
      aria-valuemin={Math.round(ends.from)}
      aria-valuemax={Math.round(ends.to)}
      aria-valuenow={Math.round(place)}
      aria-valuetext={durationText(Math.max(0, map.value.timeAt(place) - whole.value.from))}
      style={{ left: `${shareOf(place, all.value) * 100}%` }}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key]
        if (by === undefined) return
        event.preventDefault()
        event.stopPropagation()
        const next = Math.min(ends.to, Math.max(ends.from, place + by * all.value.to))
        choose({ ...range.value, [part]: next })
      }}
    />
  )
}

/** The range after one of its parts was dragged. */
function dragged({ part, at, range }: { part: Part; at: number; range: Range }, to: number, all: Range): Range {
  if (part === 'both') return within({ from: range.from + to - at, to: range.to + to - at }, all)
  const fixed = { from: range.to, to: range.from, new: at }[part]
  const [from, end] = fixed < to ? [fixed, to] : [to, fixed]
  // A click selects nothing.
  return end - from < (all.to - all.from) / 500 ? range : { from, to: end }
}

function useDrawing(canvas: { readonly current: HTMLCanvasElement | null }, { store, time }: MinimapProps): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isDrawn = useRef(false)
  useSignalEffect(() => {
    void [store.tree.value, time.map.value, time.width.value]
    const draw = (): void => {
      timer.current = undefined
      if (canvas.current)
        drawSpans(
          canvas.current,
          inOrder(store.tree.peek()),
          (at) => time.map.peek().placeOf(at) / time.map.peek().length,
        )
    }
    if (!isDrawn.current) draw()
    else timer.current ??= setTimeout(draw, DRAWN_MS)
    isDrawn.current = true
  })
}
