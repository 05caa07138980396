import { effect } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { PlanName } from 'planspan/client'

import { DetailPane } from '../detail/detail-pane.js'
import { GraphView } from '../graph/load-graph.js'
import { TopBar } from '../parts/top-bar.js'
import { linkTo } from '../url/base.js'
import { isLive, LiveSwitch } from '../list/live-switch.js'
import { StepsView } from '../steps/steps-view.js'
import { FindBar } from './find-bar.js'
import { createFindStore, type FindStore } from './find-store.js'
import { PlanHead, titleOf } from './plan-head.js'
import { bindPlanKeys } from './plan-keys.js'
import { createPlanStore, type PlanStore } from './plan-store.js'
import { SpanView } from './span-view.js'
import { ViewTabs } from './view-tabs.js'

/** A plan, live. */
export function PlanPage({ name }: { readonly name: PlanName }) {
  const store = useMemo(() => createPlanStore(name), [])
  useEffect(() => {
    const leaving = new AbortController()
    void store.follow(leaving.signal)
    return () => leaving.abort()
  }, [store, isLive.value])
  const find = useMemo(() => createFindStore(store), [store])
  useEffect(() => find.follow(), [find])
  useEffect(() => bindPlanKeys(store, find), [store, find])
  useEffect(() => effect(store.showSelected), [store])
  const title = titleOf(store)
  useEffect(() => {
    document.title = `${title} · planspan`
  }, [title])
  return (
    <>
      <TopBar>
        <span class="fill" />
        <LiveSwitch />
      </TopBar>
      <main class="plan-page">
        {store.failure.value === undefined ? (
          <>
            <PlanHead store={store} find={find} />
            <div class="view-line">
              <ViewTabs store={store} />
              <FindBar find={find} />
            </div>
            <div class="plan-body">
              <View store={store} find={find} />
              <DetailPane store={store} />
            </div>
          </>
        ) : (
          <section class="nothing" role="alert">
            <h1>This plan cannot be shown</h1>
            <p>{store.failure.value}</p>
            <a class="button" href={linkTo('/plans')}>
              To the list
            </a>
          </section>
        )}
      </main>
    </>
  )
}

function View({ store, find }: { readonly store: PlanStore; readonly find: FindStore }) {
  const view = store.view.value
  switch (view) {
    case undefined:
      return <div class="span-view" aria-busy="true" />
    case 'plan':
      return <StepsView store={store} />
    case 'graph':
      return <GraphView store={store} />
    default:
      return <SpanView store={store} find={find} view={view} />
  }
}
