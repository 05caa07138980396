import { batch, computed, signal } from '@preact/signals'
import type { OutlineJson, PlanJson, PlanName, StepsJson, StructureChange, VerdictJson } from 'planspan/client'

import { client } from '../data/client.js'
import { untilDone } from '../data/connection.js'
import { eachFrame } from '../data/each-frame.js'
import { isLive } from '../list/live-switch.js'
import { grown } from '../model/grow-tree.js'
import { openAtFirst, visibleNodes, wayTo } from '../model/open-rows.js'
import { rowOf, rowsOf } from '../model/row.js'
import { stepsVersion } from '../steps/steps-store.js'
import { treeOf } from '../model/tree.js'
import { mayChange, isMoving } from '../model/words.js'
import { here, setParameters } from '../url/location.js'
import { type View, viewOf } from './view-tabs.js'

export type PlanStore = ReturnType<typeof createPlanStore>

/** Creates the store of a plan: its data, and the current view and selection. */
export function createPlanStore({ planId, ...place }: PlanName) {
  const tree = signal(treeOf(new Map()))
  const open = signal<ReadonlySet<string>>(new Set())
  const summary = signal<PlanJson | undefined>(undefined)
  const loadedVerdict = signal<VerdictJson | undefined>(undefined)
  /** Whether its record may change, as far as known. */
  const isMovingOrUnknown = computed(() => {
    const plan = summary.value
    return plan === undefined || (plan.live && isMoving(plan.state))
  })
  const verdict = computed(() => (isMovingOrUnknown.value ? undefined : loadedVerdict.value))
  const isLoaded = signal(false)
  const isWhole = signal(false)
  const outlined = signal<{ readonly steps: StepsJson; readonly version: string } | undefined>(undefined)
  const isPlanned = signal(false)
  const failure = signal<string | undefined>(undefined)
  const isFollowing = signal(true)
  const selected = computed(() => here.value.searchParams.get('span') ?? undefined)
  const selectedNode = computed(() => tree.value.nodes.get(selected.value ?? ''))
  // The tree receives an end before the list does; a plan within another plan's trace is not a root.
  const root = computed(() => tree.value.roots.find(({ row }) => row.role === 'plan')?.row)
  const isInner = computed(() => (summary.value?.rootPlanId ?? planId) !== planId)
  const state = computed(() => {
    const listed = summary.value?.state
    return (isInner.value ? (listed ?? root.value?.state) : (root.value?.state ?? listed)) ?? undefined
  })

  /** The view of the URL; else the steps, if the plan has any. Undefined while unknown. */
  const view = computed<View | undefined>(
    () => viewOf(here.value) ?? (isLoaded.value ? (isPlanned.value ? 'plan' : 'tree') : undefined),
  )

  const show = (id: string): void => {
    const node = tree.peek().nodes.get(id)
    if (node) open.value = new Set([...open.peek(), ...wayTo(node)])
  }

  return {
    planId,
    place,
    tree,
    open,
    summary,
    /** The verdict on its record, once loaded; undefined while the plan runs, because it changes with each span. */
    verdict,
    loadedVerdict,
    isMovingOrUnknown,
    /** The gaps at or below spans, by span id. */
    gaps: computed(() => Map.groupBy(verdict.value?.missing ?? [], ({ spanId }) => spanId)),
    state,
    isLoaded,
    /** Whether all spans are loaded; before that, only the top of a long plan may be. */
    isWhole,
    /** The steps, and the version of the spans that they belong to. */
    outlined,
    view,
    failure,
    isFollowing,
    selected,
    selectedNode,
    visible: computed(() => visibleNodes(tree.value, open.value)),
    mayChange: computed(() => state.value !== undefined && mayChange(state.value)),
    /** Whether its time is running. */
    isMoving: computed(() => summary.value?.live === true && isMoving(summary.value.state)),

    /** Opens the ancestors of the selected span, wherever its link was. */
    showSelected: (): void => show(selected.value ?? ''),

    /** Selects a span; undefined clears the selection. */
    select(id: string | undefined): void {
      setParameters({ span: id }, { replace: true })
    },

    /** Selects a span in a view that has a row for it: the tree, if the current view has no such rows. */
    reveal(id: string): void {
      const isRowless = view.peek() === 'plan' || view.peek() === 'graph'
      setParameters({ span: id, ...(isRowless && { view: 'tree' }) }, { replace: !isRowless })
    },

    setOpen(id: string, isOpen: boolean): void {
      const next = new Set(open.peek())
      if (isOpen) next.add(id)
      else next.delete(id)
      open.value = next
    },

    /** Loads the plan, and follows it while it runs, until the signal aborts. */
    async follow(signal: AbortSignal): Promise<void> {
      try {
        await untilDone(async (isUp) => {
          if (!isWhole.peek()) void readTop(signal)
          const outline = await client.outline(planId, place, { signal })
          isUp()
          batch(() => {
            take(outline)
            isWhole.value = true
          })
          await readSummary(outline.traceId, signal)
          if (!isLive.peek() || !mayChange(state.peek() ?? 'completed')) return
          await Promise.all([watchSpans(signal, isUp), watchSummary(outline.traceId, signal)])
        }, signal)
      } catch (error) {
        if (!signal.aborted) failure.value = error instanceof Error ? error.message : String(error)
      }
    },
  }

  /** Shows the top of the plan until the whole plan is loaded. */
  async function readTop(signal: AbortSignal): Promise<void> {
    // Loading the whole plan reports any failure.
    const top = await client.top(planId, place, { signal }).catch(() => undefined)
    if (top && top.spans.length > 0 && !isWhole.peek() && !signal.aborted) batch(() => take(top))
  }

  function take(outline: OutlineJson): void {
    tree.value = treeOf(rowsOf(outline))
    isPlanned.value = outline.planned
    outlined.value = { steps: outline, version: stepsVersion(tree.peek()) }
    isLoaded.value = true
    if (isWhole.peek()) return
    open.value = openAtFirst(tree.peek())
    if (selected.peek() !== undefined) show(selected.peek() ?? '')
  }

  async function readSummary(trace: string, signal: AbortSignal): Promise<void> {
    const { records } = await client.list({ trace, limit: 100 }, { signal })
    summary.value =
      records.find((plan) => plan.planId === planId) ?? records.find(({ rootPlanId }) => rootPlanId === planId)
  }

  async function watchSpans(signal: AbortSignal, isUp: () => void): Promise<void> {
    const take = eachFrame<StructureChange>((changes) => {
      if (!signal.aborted) apply(changes)
    })
    for await (const change of client.structureChanges(planId, place, { signal, patienceMs: 0 })) {
      isUp()
      take(change)
    }
  }

  async function watchSummary(trace: string, signal: AbortSignal): Promise<void> {
    const done = new AbortController()
    const either = AbortSignal.any([signal, done.signal])
    for await (const change of client.listChanges({ trace }, { signal: either, patienceMs: 0 })) {
      if (change.kind !== 'plan' || change.plan.planId !== planId) continue
      summary.value = change.plan
      if (!mayChange(change.plan.state)) done.abort()
    }
  }

  function apply(changes: readonly StructureChange[]): void {
    const before = tree.peek()
    const rows = changes.flatMap((change) => (change.kind === 'span' ? [rowOf(change.span)] : []))
    const news = rows.filter(({ id }) => !before.nodes.has(id))
    const after = grown(before, rows)
    if (after === before) return
    tree.value = after
    if (news.some(({ role }) => role === 'planning' || role === 'wait')) isPlanned.value = true
    const { nodes } = after
    const opened = new Set(open.peek())
    for (const { id } of news) if ((nodes.get(id)?.depth ?? 2) < 2) opened.add(id)
    const newest = isFollowing.peek() ? news.at(-1) : undefined
    const node = newest && nodes.get(newest.id)
    if (node) for (const id of wayTo(node)) opened.add(id)
    if (opened.size !== open.peek().size) open.value = opened
  }
}
