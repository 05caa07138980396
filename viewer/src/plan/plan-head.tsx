import type { PlanJson } from 'planspan/client'
import type { ComponentChildren } from 'preact'

import { costText, countText, durationText, wholeCount } from '../model/quantity.js'
import { modelsOf, waitedOf } from '../model/sums.js'
import { RiskBar } from '../list/plan-row.js'
import { Headline } from '../parts/headline.js'
import { Icon } from '../parts/icon.js'
import { now } from '../parts/now.js'
import { StateMark } from '../parts/state-mark.js'
import { fullTime, shortTime } from '../parts/zone.js'
import { linkTo } from '../url/base.js'
import { AdoptedMark } from './adopted-mark.js'
import { PlanActions } from './plan-actions.js'
import type { PlanStore } from './plan-store.js'
import { VerdictMark } from './verdict-mark.js'

export function titleOf({ summary, tree, planId }: PlanStore): string {
  const root = tree.value.roots.find(({ row }) => row.role === 'plan')?.row
  return summary.value?.title ?? summary.value?.request ?? (root?.label || root?.name) ?? planId
}

/** A plan's title and totals, in two lines. */
export function PlanHead({ store }: { readonly store: PlanStore }) {
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
        <Facts store={store} />
      </div>
    </header>
  )
}

function Facts({ store }: { readonly store: PlanStore }) {
  const { tree, summary, isMoving, isLoaded, isWhole } = store
  const { nodes, start, end } = tree.value
  const plan = summary.value
  if (!isLoaded.value) return <dl class="facts" aria-busy="true" />
  const until = isMoving.value ? Math.max(end, now.value) : end
  const waited = waitedOf(nodes.values(), isMoving.value ? now.value : undefined)
  return (
    <dl class="facts" aria-busy={!isWhole.value}>
      <Fact name="Started" title={fullTime(start)}>
        {shortTime(start)}
      </Fact>
      <Fact name="Duration">
        {durationText(until - start)}
        {waited > 0 && <span class="muted"> · {durationText(waited)} waiting</span>}
      </Fact>
      {isWhole.value && <Sums store={store} />}
      {/* The facts that arrive last come last, so that they move nothing. */}
      {plan && <Listed plan={plan} />}
    </dl>
  )
}

/** The facts of a plan that come from the list. */
function Listed({ plan }: { readonly plan: PlanJson }) {
  return (
    <>
      {plan.costUsd !== null && <Fact name="Cost">{costText(plan.costUsd)}</Fact>}
      {plan.name && <Fact name="Workflow">{plan.name}</Fact>}
      <Fact name={plan.live ? 'Service' : 'Imported'}>{plan.live ? plan.serviceName : (plan.dialect ?? '')}</Fact>
    </>
  )
}

/** The totals of all spans. */
function Sums({ store: { tree, summary, planId } }: { readonly store: PlanStore }) {
  const { roots, nodes } = tree.value
  const plan = summary.value
  const sum = (of: 'tokens' | 'causes' | 'taken' | 'stopped'): number =>
    roots.reduce((total, node) => total + node[of], 0)
  const risk = roots.reduce((highest, node) => Math.max(highest, node.risk ?? -1), -1)
  const models = modelsOf(nodes.values())
  return (
    <>
      <Fact name="Spans">{wholeCount(nodes.size)}</Fact>
      {sum('causes') > 0 && (
        <Fact name="Failed">
          <span class="failures">{wholeCount(sum('causes'))}</span>
        </Fact>
      )}
      {models.length > 0 && (
        <Fact name={models.length === 1 ? 'Model' : 'Models'} title={models.join(', ')}>
          {models.slice(0, 2).join(', ')}
          {models.length > 2 && <span class="muted"> +{models.length - 2}</span>}
        </Fact>
      )}
      {risk >= 0 && (
        <Fact name="Risk">
          <RiskBar risk={risk} />
        </Fact>
      )}
      {sum('stopped') > 0 && (
        <Fact name="Stopped">
          <span class="stopped">{sum('stopped')}</span>
        </Fact>
      )}
      {sum('taken') > 0 && (
        <Fact name="Unsafe, taken">
          <span class="taken">{sum('taken')}</span>
        </Fact>
      )}
      {sum('tokens') > 0 && (
        <Fact name="Tokens" title={`${wholeCount(sum('tokens'))} read and written by models`}>
          {countText(sum('tokens'))}
          {plan?.planId === planId && <TokenKinds plan={plan} />}
        </Fact>
      )}
    </>
  )
}

/** Input, cached and output tokens, if the calls report more than their sum. */
function TokenKinds({ plan: { inputTokens, outputTokens, cacheReadTokens } }: { readonly plan: PlanJson }) {
  if (inputTokens + outputTokens === 0) return null
  const cached = cacheReadTokens > 0 ? ` (${countText(cacheReadTokens)} cached)` : ''
  return (
    <span class="muted">
      {' '}
      · {countText(inputTokens)} in{cached}, {countText(outputTokens)} out
    </span>
  )
}

interface FactProps {
  readonly name: string
  readonly title?: string
  readonly children: ComponentChildren
}

function Fact({ name, title, children }: FactProps) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
