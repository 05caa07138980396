import { signal } from '@preact/signals'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks'

import { bindKeys } from '../keys/keys.js'
import { isSmall } from '../parts/media.js'
import { useVirtual } from '../parts/use-virtual.js'
import { go } from '../url/location.js'
import { template } from './columns.js'
import { ListHeader } from './list-header.js'
import { hasMore, isLoaded, isStale, lookAt, rows, showWaiting, shownSearch } from './list-store.js'
import { PlanRow, pathOf, UnreadRow } from './plan-row.js'
import { countOf, keyOf, planAt } from './plan-rows.js'

const ROW = 54
const SMALL_ROW = 78
const HEADER = 30

/** The row that keys act on, and the place in the list; both are kept when the user returns from a plan. */
const current = signal(-1)
let scrolledTo = 0
/** The query to which both belong. */
let ofSearch: string | undefined

/** The visible plans. */
export function PlanList() {
  const shown = rows.value
  const count = countOf(shown)
  const { waiting } = shown
  const rowHeight = isSmall.value ? SMALL_ROW : ROW
  const { scroller, items, height, scrollTo } = useVirtual({ count, rowHeight, above: HEADER })
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    void lookAt({ first, last })
  }, [first, last, shown])
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const note = (): void => {
      scrolledTo = element.scrollTop
    }
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [scroller])
  const focusCurrent = useCallback((): boolean => {
    const link = scroller.current?.querySelector<HTMLElement>(`a[data-index="${current.peek()}"]`)
    link?.focus({ preventScroll: true })
    return link !== undefined && link !== null
  }, [scroller])
  const isFocusLost = useRef(false)
  const search = shownSearch.value
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || search === undefined) return
    if (search !== ofSearch) [ofSearch, scrolledTo, current.value] = [search, 0, -1]
    element.scrollTop = scrolledTo
    isFocusLost.current = current.peek() >= 0
  }, [scroller, search])
  // The row may have to be loaded again.
  useEffect(() => {
    if (isFocusLost.current && focusCurrent()) isFocusLost.current = false
  })
  useEffect(() => {
    const move = (by: number): void => {
      const index = Math.max(0, Math.min(countOf(rows.peek()) - 1, current.peek() + by))
      current.value = index
      scrollTo(index)
      // Focus at once if the row is drawn, so that Enter opens it; otherwise when it is drawn.
      if (!focusCurrent()) requestAnimationFrame(focusCurrent)
    }
    const open = (): void => {
      const plan = planAt(rows.peek(), current.peek())
      if (plan) go(pathOf(plan))
    }
    return bindKeys([
      { keys: ['j', 'ArrowDown'], shown: 'j ↓', does: 'Next plan', run: () => move(1) },
      { keys: ['k', 'ArrowUp'], shown: 'k ↑', does: 'Previous plan', run: () => move(-1) },
      { keys: ['Enter'], shown: 'Enter', does: 'Open the plan', run: open },
      { keys: ['.'], shown: '.', does: 'Show new plans', run: showNew },
    ])
  }, [focusCurrent, scrollTo])
  const showNew = (): void => {
    showWaiting()
    current.value = -1
    if (scroller.current) scroller.current.scrollTop = 0
  }
  return (
    <div class="list-area" aria-busy={isStale.value} style={{ '--columns': template.value }}>
      {!isLoaded.value && <p class="loading muted">Loading plans …</p>}
      {waiting.length > 0 && (
        <button type="button" class="new-rows" onClick={showNew}>
          {waiting.length} new
        </button>
      )}
      <div
        ref={scroller}
        class="scroller plan-list"
        role="table"
        aria-label="Plans"
        aria-rowcount={hasMore.value ? -1 : count + 1}
        tabIndex={0}
        onFocusCapture={({ target }) => {
          const index = target instanceof HTMLElement ? target.dataset['index'] : undefined
          if (index !== undefined) current.value = Number(index)
        }}
      >
        <ListHeader />
        <div role="rowgroup" class="rows" style={{ height: `${height}px` }}>
          {items.map(({ index, start }) => {
            const plan = planAt(shown, index)
            const place = { index, top: start, height: rowHeight }
            return plan ? (
              <PlanRow key={keyOf(plan)} plan={plan} {...place} isCurrent={index === current.value} />
            ) : (
              <UnreadRow key={index} {...place} />
            )
          })}
        </div>
      </div>
    </div>
  )
}
