import { signal } from '@preact/signals'
import type { TotalsJson } from 'planspan/client'

import { fullTime } from '../parts/zone.js'
import { setParameters } from '../url/location.js'

type Interval = TotalsJson['course'][number]

interface CourseProps {
  readonly totals: TotalsJson
  readonly title: string
  readonly height: (sums: Interval) => number
  readonly shown: (sums: Interval) => string
}

/** The selected intervals: where the selection began, and the other end. */
const brush = signal<{ readonly from: number; readonly to: number } | undefined>(undefined)

const HEIGHT = 32

/** A bar per interval. Dragging, or shift and arrow keys, selects intervals; Enter filters by them. */
export function CourseChart({ totals: { course, bucketMs }, title, height, shown }: CourseProps) {
  const begin = Date.parse(course[0]?.start ?? '')
  const slotOf = ({ start }: Interval): number => Math.round((Date.parse(start) - begin) / bucketMs)
  const count = slotOf(course.at(-1) as Interval) + 1
  const most = Math.max(...course.map(height), Number.MIN_VALUE)
  const timeOf = (slot: number): number => begin + slot * bucketMs
  const chosen = brush.value
  const [first, last] = chosen ? [Math.min(chosen.from, chosen.to), Math.max(chosen.from, chosen.to)] : [0, count - 1]
  const at = chosen && course.find((one) => slotOf(one) === chosen.to)
  const range = `${fullTime(timeOf(first))} to ${fullTime(timeOf(last + 1))}`
  const inside = (slot: number): number => Math.max(0, Math.min(count - 1, slot))
  const slotAt = ({ currentTarget, clientX }: { currentTarget: Element; clientX: number }): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return inside(Math.floor(((clientX - left) / width) * count))
  }
  const apply = (): void => {
    if (!brush.peek()) return
    brush.value = undefined
    setParameters({ since: new Date(timeOf(first)).toISOString(), until: new Date(timeOf(last + 1)).toISOString() })
  }
  const move = (by: number, isWider: boolean): void => {
    const { from, to } = brush.peek() ?? { from: by > 0 ? -1 : count, to: by > 0 ? -1 : count }
    const next = inside(to + by)
    brush.value = { from: isWider ? inside(from) : next, to: next }
  }
  return (
    <div
      class="course"
      role="slider"
      tabIndex={0}
      aria-label={`${title} over time: arrow keys select a time, with shift a range; Enter shows its plans`}
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={chosen ? chosen.to : count - 1}
      aria-valuetext={at ? `${range}: ${shown(at)}` : range}
      title={chosen ? range : 'Drag to select a time'}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
        if (by !== undefined) move(by, event.shiftKey)
        else if (event.key === 'Enter') apply()
        else if (event.key === 'Escape') brush.value = undefined
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        const slot = slotAt(event)
        brush.value = { from: slot, to: slot }
      }}
      onPointerMove={(event) => {
        const { currentTarget, pointerId } = event
        const from = brush.peek()?.from
        if (from !== undefined && currentTarget.hasPointerCapture(pointerId)) brush.value = { from, to: slotAt(event) }
      }}
      onPointerUp={apply}
      onBlur={() => (brush.value = undefined)}
    >
      <svg viewBox={`0 0 ${count} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {chosen && <rect class="brush" x={first} y={0} width={last - first + 1} height={HEIGHT} />}
        {course.map((one) => {
          const tall = (height(one) / most) * (HEIGHT - 2)
          return <rect key={one.start} x={slotOf(one) + 0.1} y={HEIGHT - tall} width={0.8} height={tall} />
        })}
      </svg>
    </div>
  )
}
