import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PlanJson } from 'planspan/client'

import { client } from '../data/client.js'
import { nameOf } from '../list/plan-rows.js'
import { Icon } from '../parts/icon.js'
import { Menu } from '../parts/menu.js'
import { shortTime } from '../parts/zone.js'
import type { PlanStore } from '../plan/plan-store.js'
import { go } from '../url/location.js'
import { comparePath } from './compare-path.js'
import { linkTo } from '../url/base.js'

/** Compares a plan with the previous plan of its workflow, or with a plan by its id. */
export function CompareMenu({ store: { planId, place, summary } }: { readonly store: PlanStore }) {
  /** Null if there is no previous plan; undefined while loading. */
  const before = useSignal<PlanJson | null | undefined>(undefined)
  const here = { planId, ...place }
  const isOpen = useSignal(false)
  const { name, startTime } = summary.value ?? {}
  useEffect(() => {
    if (!isOpen.value || !name || !startTime) return
    client.list({ workflow: name, until: startTime, limit: 1 }).then(
      ({ records }) => {
        before.value = records[0] ?? null
      },
      () => {
        // The user can still enter an id.
      },
    )
  }, [isOpen.value, name, startTime])
  return (
    <Menu
      label={
        <>
          <Icon name="compare" />
          Compare
        </>
      }
      onOpen={() => (isOpen.value = true)}
    >
      {before.value && (
        <a class="menu-item" href={linkTo(comparePath([nameOf(before.value), here]))}>
          With the previous plan of this workflow
          <span class="muted">
            {before.value.title ?? before.value.request ?? before.value.planId},{' '}
            {shortTime(Date.parse(before.value.startTime))}
          </span>
        </a>
      )}
      {before.value === null && <p class="menu-item muted">No earlier plan of this workflow</p>}
      <form
        class="menu-item"
        onClick={(event) => event.stopPropagation()}
        onSubmit={(event) => {
          event.preventDefault()
          const other = String(new FormData(event.currentTarget).get('id')).trim()
          go(comparePath([{ planId: other }, here]))
        }}
      >
        <label>
          <span class="muted">With the plan that has this id</span>
          <input name="id" class="field mono" required autocomplete="off" />
        </label>
        <button class="button">Compare</button>
      </form>
    </Menu>
  )
}
