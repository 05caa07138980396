import { useEffect } from 'preact/hooks'

import { bindKeys } from '../keys/keys.js'
import { rows } from '../list/list-store.js'
import { planAt, nameOf } from '../list/plan-rows.js'
import { announce } from '../parts/announcement.js'
import { Icon } from '../parts/icon.js'
import { comparePath } from './compare-path.js'
import { marked, toggleMark } from './mark-box.js'
import { linkTo } from '../url/base.js'

/** Marks the plan of the focused row. */
function markFocused(): void {
  const focused = document.activeElement
  const index = focused instanceof HTMLElement ? focused.dataset['index'] : undefined
  const plan = index === undefined ? undefined : planAt(rows.peek(), Number(index))
  if (plan) toggleMark(plan)
  else announce('Select a plan first: j')
}

/** The bar below the list that compares the marked plans. */
export function CompareBar() {
  useEffect(() => bindKeys([{ keys: ['x'], shown: 'x', does: 'Mark the plan for comparison', run: markFocused }]), [])
  const plans = [...marked.value.values()]
  if (plans.length === 0) return null
  return (
    <section class="compare-bar" aria-label="Marked plans">
      {plans.length === 1 ? (
        <span>One plan is marked. Mark another plan to compare.</span>
      ) : (
        <a class="button" href={linkTo(comparePath(plans.map(nameOf)))}>
          <Icon name="compare" />
          Compare {plans.length} plans
        </a>
      )}
      <button type="button" class="quiet" onClick={() => (marked.value = new Map())}>
        Clear marks
      </button>
    </section>
  )
}
