import type { PlanJson } from 'planspan/client'
import type { ComponentChildren } from 'preact'

import { RiskBar } from '../list/plan-row.js'
import type { Kind } from '../model/find.js'
import { costText, countText, durationText, wholeCount } from '../model/quantity.js'
import { modelsOf, waitedOf } from '../model/sums.js'
import { now } from '../parts/now.js'
import { fullTime, shortTime } from '../parts/zone.js'
import { withParameters } from '../url/location.js'
import type { FindStore } from './find-store.js'
import type { PlanStore } from './plan-store.js'

interface PlanFactsProps {
  readonly store: PlanStore
  readonly find: FindStore
}

/** The figures of a plan. Each count links to the spans that it counts. */
export function PlanFacts({ store, find }: PlanFactsProps) {
  const { tree, summary, isMoving, isLoaded, isWhole } = store
  const { nodes, start, end } = tree.value
  const plan = summary.value
  if (!isLoaded.value) return <dl class="facts" aria-busy="true" />
  const until = isMoving.value ? Math.max(end, now.value) : end
  const waited = waitedOf(nodes.values(), isMoving.value ? now.value : undefined)
  return (
    <dl class="facts" aria-busy={!isWhole.value}>
      {isWhole.value && <Faults find={find} />}
      {isWhole.value && <Cost store={store} />}
      <Fact name="Duration">
        {durationText(until - start)}
        {waited > 0 && <span class="muted"> · {durationText(waited)} waiting</span>}
      </Fact>
      <Fact name="Started" title={fullTime(start)}>
        {shortTime(start)}
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
      {plan.name && <Fact name="Workflow">{plan.name}</Fact>}
      <Fact name={plan.live ? 'Service' : 'Imported'}>{plan.live ? plan.serviceName : (plan.dialect ?? '')}</Fact>
    </>
  )
}

const FAULTS: readonly { readonly kind: Kind; readonly name: string; readonly look: string }[] = [
  { kind: 'taken', name: 'Unsafe, but done', look: 'taken' },
  { kind: 'failed', name: 'Failed', look: 'failures' },
  { kind: 'interrupted', name: 'Interrupted', look: 'cut-off' },
  { kind: 'stopped', name: 'Stopped', look: 'stopped' },
]

function Faults({ find }: { readonly find: FindStore }) {
  return (
    <>
      {FAULTS.map(({ kind, name, look }) => {
        const counted = find.kinds.value[kind]
        return (
          counted.length > 0 && (
            <Fact key={kind} name={name}>
              <Counted kind={kind} first={counted[0]?.row.id} look={look}>
                {wholeCount(counted.length)}
              </Counted>
            </Fact>
          )
        )
      })}
    </>
  )
}

/** What the model calls cost, of all spans. */
function Cost({ store: { tree } }: { readonly store: PlanStore }) {
  const costs = tree.value.roots.flatMap(({ costUsd }) => costUsd ?? [])
  if (costs.length === 0) return null
  return (
    <Fact name="Cost" title="The model calls with a known price">
      <Counted kind="models">{costText(costs.reduce((total, cost) => total + cost, 0))}</Counted>
    </Fact>
  )
}

/** The totals of all spans. */
function Sums({ store: { tree, summary, planId } }: { readonly store: PlanStore }) {
  const { roots, nodes } = tree.value
  const plan = summary.value
  const tokens = roots.reduce((total, node) => total + node.tokens, 0)
  const risk = roots.reduce((highest, node) => Math.max(highest, node.risk ?? -1), -1)
  const models = modelsOf(nodes.values())
  return (
    <>
      {risk >= 0 && (
        <Fact name="Risk">
          <RiskBar risk={risk} />
        </Fact>
      )}
      {tokens > 0 && (
        <Fact name="Tokens" title={`${wholeCount(tokens)} read and written by models`}>
          <Counted kind="models">{countText(tokens)}</Counted>
          {plan?.planId === planId && <TokenKinds plan={plan} />}
        </Fact>
      )}
      {models.length > 0 && (
        <Fact name={models.length === 1 ? 'Model' : 'Models'} title={models.join(', ')}>
          <Counted kind="models">
            {models.slice(0, 2).join(', ')}
            {models.length > 2 && <span class="muted"> +{models.length - 2}</span>}
          </Counted>
        </Fact>
      )}
      <Fact name="Spans">
        <Counted>{wholeCount(nodes.size)}</Counted>
      </Fact>
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

interface CountedProps {
  /** The kind of the counted spans. @default all spans */
  readonly kind?: Kind
  /** The first of the counted spans. */
  readonly first?: string | undefined
  readonly look?: string
  readonly children: ComponentChildren
}

/** A figure that links to the spans that it counts. */
function Counted({ kind, first, look = '', children }: CountedProps) {
  return (
    <a class={`counted ${look}`} href={withParameters({ view: 'tree', only: kind, find: undefined, span: first })}>
      {children}
    </a>
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
