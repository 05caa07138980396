import { computed, signal } from '@preact/signals'

import { breaksOf, segmentsOf } from '../model/breaks.js'
import { ticksOf } from '../model/ticks.js'
import { timeMapOf } from '../model/time-map.js'
import { atShare, type Range, shareOf, within, zoomed } from '../model/time-range.js'
import { now } from '../parts/now.js'
import type { PlanStore } from './plan-store.js'

/** The room for a tick and its time, pixels. */
const TICK_WIDTH = 90

export type TimeWindow = ReturnType<typeof createTimeWindow>

/** Creates the visible part of a plan's time: all of it until the user zooms, with long waits folded. */
export function createTimeWindow({ tree, isMoving }: Pick<PlanStore, 'tree' | 'isMoving'>) {
  const whole = computed<Range>(() => {
    const { start, end } = tree.value
    return { from: start, to: Math.max(end, start + 1, isMoving.value ? now.value : 0) }
  })
  const map = computed(() => {
    const at = isMoving.value ? now.value : undefined
    return timeMapOf(whole.value, breaksOf(tree.value.nodes.values(), whole.value, at))
  })
  /** The whole axis, in places. */
  const all = computed<Range>(() => ({ from: 0, to: map.value.length }))
  /** In times, since places move when a plan grows. */
  const chosen = signal<Range | undefined>(undefined)
  const range = computed<Range>(() => {
    if (!chosen.value) return all.value
    const { placeOf } = map.value
    return { from: placeOf(chosen.value.from), to: placeOf(chosen.value.to) }
  })
  const choose = (next: Range): void => {
    const { from, to } = within(next, all.peek())
    const { timeAt, length } = map.peek()
    chosen.value = from <= 0 && to >= length ? undefined : { from: timeAt(from), to: timeAt(to) }
  }
  /** The width of the axis, pixels. */
  const width = signal(600)
  return {
    whole,
    map,
    all,
    /** The visible range, in places. */
    range,
    width,
    ticks: computed(() => ticksOf(map.value, range.value, width.value / TICK_WIDTH)),
    segments: computed(() => segmentsOf(tree.value.nodes.values())),
    isZoomed: computed(() => chosen.value !== undefined),
    /** The pointer's position in the visible range, as a share. */
    pointer: signal<number | undefined>(undefined),
    /** The position of a time in the visible range: 0 at its start, 1 at its end. */
    shareOf: (time: number): number => shareOf(map.value.placeOf(time), range.value),
    timeAt: (share: number): number => map.value.timeAt(atShare(share, range.value)),
    choose,
    showAll: (): void => {
      chosen.value = undefined
    },
    /** Zooms around the pointer with ctrl and the wheel. */
    zoomByWheel(event: WheelEvent): void {
      const at = shareUnder(event)
      if (!event.ctrlKey || at === undefined) return
      event.preventDefault()
      choose(zoomed(range.peek(), Math.min(1, Math.max(0, at)), Math.exp(event.deltaY / 300)))
    },
  }
}

/** The pointer's position on the axis, as a share; below 0 or above 1 beside the axis. */
export function shareUnder({ clientX, currentTarget }: MouseEvent): number | undefined {
  const axis = currentTarget instanceof HTMLElement && currentTarget.querySelector('.axis')?.getBoundingClientRect()
  return axis ? (clientX - axis.left) / axis.width : undefined
}
