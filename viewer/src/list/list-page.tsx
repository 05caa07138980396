import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { CompareBar } from '../compare/compare-bar.js'
import { isNarrow } from '../parts/media.js'
import { ActiveFilters, FacetPanel } from './facet-panel.js'
import { ListBar } from './list-bar.js'
import { NothingThere } from './nothing-there.js'
import { failure, followList, isLoaded, rows } from './list-store.js'
import { TotalsStrip } from './totals-strip.js'
import { countOf } from './plan-rows.js'
import { PlanList } from './plan-list.js'

/** Whether a narrow screen shows the facets instead of the plans. */
const areFacetsOpen = signal(false)

/** The list of plans, live. */
export function ListPage() {
  useEffect(followList, [])
  useEffect(() => {
    document.title = 'Plans · planspan'
  }, [])
  const showsFacets = !isNarrow.value || areFacetsOpen.value
  const isEmpty = isLoaded.value && countOf(rows.value) + rows.value.waiting.length === 0
  return (
    <>
      <ListBar areFacetsOpen={areFacetsOpen} />
      <main class="list-page">
        <h1 class="spoken">Plans</h1>
        {showsFacets && <FacetPanel />}
        {!(isNarrow.value && areFacetsOpen.value) && (
          <div class="list-column">
            {isNarrow.value && <ActiveFilters />}
            {!isEmpty && failure.value === undefined && <TotalsStrip />}
            {isEmpty || failure.value !== undefined ? <NothingThere /> : <PlanList />}
            <CompareBar />
          </div>
        )}
      </main>
    </>
  )
}
