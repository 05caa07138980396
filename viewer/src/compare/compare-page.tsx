import { useEffect, useMemo } from 'preact/hooks'
import type { PlanName } from 'planspan/client'

import '../styles/compare.css'
import { CopyButton } from '../parts/copy-button.js'
import { Icon } from '../parts/icon.js'
import { TopBar } from '../parts/top-bar.js'
import { clockTime } from '../parts/zone.js'
import { mayChange } from '../model/words.js'
import { comparePath } from './compare-path.js'
import { ChoosePlans } from './choose-plans.js'
import { bindCompareKeys } from './compare-keys.js'
import { type CompareStore, createCompareStore } from './compare-store.js'
import { PairRows } from './pair-rows.js'
import { Divergence } from './divergence.js'
import { RowDetail } from './row-detail.js'
import { TotalsTable } from './totals-table.js'
import { comparisonProblem } from './comparison-problem.js'
import { linkTo } from '../url/base.js'

/** Compares plans: their totals, the first divergence, and each row. */
export function ComparePage({ names }: { readonly names: readonly PlanName[] }) {
  const wrong = comparisonProblem(names)
  useEffect(() => {
    document.title = 'Compare · planspan'
  }, [])
  return (
    <>
      <TopBar>
        <span class="fill" />
      </TopBar>
      <main class="compare-page">{wrong ? <ChoosePlans names={names} {...wrong} /> : <Compared names={names} />}</main>
    </>
  )
}

function Compared({ names }: { readonly names: readonly PlanName[] }) {
  const store = useMemo(() => createCompareStore(names), [])
  useEffect(() => {
    const leaving = new AbortController()
    void store.start(leaving.signal)
    return () => leaving.abort()
  }, [store])
  useEffect(() => bindCompareKeys(store), [store])
  const { failure, compared } = store
  if (failure.value !== undefined) {
    return <ChoosePlans names={names} title="These plans cannot be compared" reason={failure.value} />
  }
  if (!compared.value) return <p class="loading muted">Comparing …</p>
  return (
    <>
      <CompareHead store={store} />
      <TotalsTable store={store} />
      <Divergence store={store} />
      <div class="compare-body">
        <PairRows store={store} />
        <RowDetail store={store} />
      </div>
    </>
  )
}

function CompareHead({ store }: { readonly store: CompareStore }) {
  const { names, compared, readAt } = store
  const someMayChange = compared.value?.plans.some(({ state }) => mayChange(state))
  return (
    <header class="compare-head">
      <a class="quiet back" href={linkTo('/plans')} aria-label="Back to the list" title="Back to the list (Esc)">
        <Icon name="back" />
      </a>
      <h1>{names.length} plans side by side</h1>
      {someMayChange && <span class="muted">as of {clockTime(readAt.value)}; some plans have not ended</span>}
      <div class="actions">
        {someMayChange && (
          <button type="button" class="button" onClick={() => void store.again()}>
            Compare again
          </button>
        )}
        <a class="button" href={linkTo(comparePath([...names.slice(1), ...names.slice(0, 1)]))}>
          {names.length === 2 ? 'Swap' : 'Next as base'}
        </a>
        <CopyButton text={() => location.href} what="Link" icon="link" />
      </div>
    </header>
  )
}
