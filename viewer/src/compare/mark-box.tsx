import { signal } from '@preact/signals'
import type { PlanJson } from 'planspan/client'

import { keyOf } from '../list/plan-rows.js'
import { announce } from '../parts/announcement.js'
import { MAX_PLANS } from './compare-path.js'

/** The plans that are marked for comparison, in marking order. */
export const marked = signal<ReadonlyMap<string, PlanJson>>(new Map())

const isMarked = (plan: PlanJson): boolean => marked.value.has(keyOf(plan))

/** Marks or unmarks a plan. */
export function toggleMark(plan: PlanJson): void {
  const next = new Map(marked.peek())
  if (next.delete(keyOf(plan))) marked.value = next
  else if (next.size === MAX_PLANS) announce(`A comparison can contain at most ${MAX_PLANS} plans`)
  else marked.value = next.set(keyOf(plan), plan)
}

/** A checkbox that marks a plan of the list for comparison. */
export function MarkBox({ plan }: { readonly plan: PlanJson }) {
  return (
    <input
      type="checkbox"
      class="mark-box"
      tabIndex={-1}
      aria-label="Mark to compare"
      title="Mark to compare (x)"
      checked={isMarked(plan)}
      onChange={() => toggleMark(plan)}
    />
  )
}
