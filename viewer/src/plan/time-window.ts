import { computed, signal } from '@preact/signals'

import { type Range, ticksOf, zoomed } from '../model/time-range.js'
import { now } from '../parts/now.js'
import type { PlanStore } from './plan-store.js'

/** How much room a tick and its time take, pixels. */
const TICK_WIDTH = 90

export type TimeWindow = ReturnType<typeof createTimeWindow>

/** The part of a plan's time that the waterfall shows; all of it until one zooms. */
export function createTimeWindow({ tree, isMoving }: Pick<PlanStore, 'tree' | 'isMoving'>) {
  const whole = computed<Range>(() => {
    const { start, end } = tree.value
    return { from: start, to: Math.max(end, start + 1, isMoving.value ? now.value : 0) }
  })
  const chosen = signal<Range | undefined>(undefined)
  const range = computed(() => chosen.value ?? whole.value)
  const choose = (next: Range): void => {
    const { from, to } = whole.peek()
    const isAll = next.from <= from && next.to >= to
    chosen.value = isAll ? undefined : { from: Math.max(from, next.from), to: Math.min(to, next.to) }
  }
  /** How wide the axis is, pixels. */
  const width = signal(600)
  return {
    range,
    width,
    /** Round times after the plan's begin. */
    ticks: computed(() => ticksOf(range.value, whole.value.from, width.value / TICK_WIDTH)),
    whole,
    isZoomed: computed(() => chosen.value !== undefined),
    choose,
    showAll: (): void => {
      chosen.value = undefined
    },
    /** Ctrl and the wheel zoom around the pointer. */
    zoomByWheel(event: WheelEvent): void {
      if (!event.ctrlKey || !(event.currentTarget instanceof HTMLElement)) return
      const axis = event.currentTarget.querySelector('.axis')?.getBoundingClientRect()
      if (!axis) return
      event.preventDefault()
      const at = Math.min(1, Math.max(0, (event.clientX - axis.left) / axis.width))
      choose(zoomed(range.peek(), at, Math.exp(event.deltaY / 300)))
    },
  }
}
