import type { PlanJson } from 'planspan/client'

import { isMarked, toggleMark } from './marks.js'

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
