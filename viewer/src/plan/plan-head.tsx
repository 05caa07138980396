import { Headline } from '../parts/headline.js'
import { Icon } from '../parts/icon.js'
import { StateMark } from '../parts/state-mark.js'
import { linkTo } from '../url/base.js'
import { AdoptedMark } from './adopted-mark.js'
import type { FindStore } from './find-store.js'
import { PlanActions } from './plan-actions.js'
import { PlanFacts } from './plan-facts.js'
import type { PlanStore } from './plan-store.js'
import { VerdictMark } from './verdict-mark.js'

export function titleOf({ summary, tree, planId }: PlanStore): string {
  const root = tree.value.roots.find(({ row }) => row.role === 'plan')?.row
  return summary.value?.title ?? summary.value?.request ?? (root?.label || root?.name) ?? planId
}

/** A plan's title and totals, in two lines. */
export function PlanHead({ store, find }: { readonly store: PlanStore; readonly find: FindStore }) {
  const state = store.state.value
  const { request, title } = store.summary.value ?? {}
  return (
    <header class="plan-head">
      <div class="plan-title">
        <a class="quiet back" href={linkTo('/plans')} aria-label="Back to the list" title="Back to the list (Esc)">
          <Icon name="back" />
        </a>
        <h1 title={request ?? ''}>
          {titleOf(store)}
          {title && request && title !== request && <span class="muted"> {request}</span>}
        </h1>
        {state && <StateMark state={state} />}
        <VerdictMark store={store} />
        <AdoptedMark store={store} />
        <PlanActions store={store} />
      </div>
      {store.summary.value && store.summary.value.headline.length > 0 && (
        <p class="plan-headline">
          <Headline plan={store.summary.value} />
        </p>
      )}
      <div class="facts-area" tabIndex={0} role="group" aria-label="Figures">
        <PlanFacts store={store} find={find} />
      </div>
    </header>
  )
}
