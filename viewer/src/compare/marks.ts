import { signal } from '@preact/signals'
import type { PlanJson } from 'planspan/client'

import { keyOf } from '../list/plan-rows.js'
import { announce } from '../parts/announcement.js'
import { MOST_PLANS } from './asked-plans.js'

/** The plans that are marked for comparison, in marking order. */
export const marked = signal<ReadonlyMap<string, PlanJson>>(new Map())

export const isMarked = (plan: PlanJson): boolean => marked.value.has(keyOf(plan))

/** Marks or unmarks a plan. */
export function toggleMark(plan: PlanJson): void {
  const next = new Map(marked.peek())
  if (next.delete(keyOf(plan))) marked.value = next
  else if (next.size === MOST_PLANS) announce(`At most ${MOST_PLANS} plans are compared at once`)
  else marked.value = next.set(keyOf(plan), plan)
}
