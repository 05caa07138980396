import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'

import { bindKeys } from '../keys/keys.js'
import type { PlanStore } from '../plan/plan-store.js'
import '../styles/graph.css'
import { gesturesOf } from './gestures.js'
import { GraphEdges } from './graph-edges.js'
import { GraphNodes } from './graph-nodes.js'
import { createGraphStore, type GraphStore } from './graph-store.js'
import { GraphTable } from './graph-table.js'

const ZOOM = 1.25

export const zoomIn = ({ viewport }: GraphStore): void => viewport.zoom(ZOOM)
export const zoomOut = ({ viewport }: GraphStore): void => viewport.zoom(1 / ZOOM)

/** Binds the keys of the graph, before those of the plan page. Returns a function that removes them. */
export const bindGraphKeys = (store: GraphStore): (() => void) =>
  bindKeys([
    { keys: ['ArrowLeft'], shown: '←', does: 'Node to the left', run: () => store.toNode(-1, 0) },
    { keys: ['ArrowRight'], shown: '→', does: 'Node to the right', run: () => store.toNode(1, 0) },
    { keys: ['ArrowUp'], shown: '↑', does: 'Node above', run: () => store.toNode(0, -1) },
    { keys: ['ArrowDown'], shown: '↓', does: 'Node below', run: () => store.toNode(0, 1) },
    { keys: ['j', 'Enter'], shown: 'j Enter', does: 'Next span of the node', run: () => store.toSpan(1) },
    { keys: ['k'], shown: 'k', does: 'Previous span of the node', run: () => store.toSpan(-1) },
    { keys: ['+'], shown: '+', does: 'Zoom in', run: () => zoomIn(store) },
    { keys: ['-'], shown: '-', does: 'Zoom out', run: () => zoomOut(store) },
    { keys: ['0'], shown: '0', does: 'Show the whole graph; shift and arrows move it', run: store.viewport.fit },
  ])

/** Whether the calls are shown as a list. */
const isTable = signal(false)

/** The agents, tools, models and sub-plans of a plan, and the number of calls between them. */
export function GraphView({ store: plan }: { readonly store: PlanStore }) {
  const store = useMemo(() => createGraphStore(plan), [plan])
  useEffect(() => bindGraphKeys(store), [store])
  const isEmpty = plan.isWhole.value && store.graph.value.nodes.size === 0
  return (
    <div class="span-view graph-view">
      {isEmpty ? (
        <p class="nothing">No agent, tool or model of this plan is stored yet. They appear here when they arrive.</p>
      ) : (
        <>
          {isTable.value ? <GraphTable store={store} /> : <Drawing store={store} />}
          <Tools store={store} />
        </>
      )}
    </div>
  )
}

function Drawing({ store }: { readonly store: GraphStore }) {
  const element = useRef<HTMLDivElement>(null)
  const { viewport, graph, selected } = store
  const gestures = useMemo(() => gesturesOf(viewport), [viewport])
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) viewport.area.value = entry.contentRect
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [viewport])
  useEffect(viewport.follow, [viewport])
  useEffect(store.reveal, [selected.value, viewport.area.value])
  const { x, y, scale } = viewport.looking.value
  const places = [...graph.value.nodes.keys()]
  const { wasDragged, ...handlers } = gestures
  return (
    <div
      ref={element}
      class="graph"
      role="listbox"
      aria-label="Agents and what they call"
      tabIndex={0}
      {...(selected.value === undefined ? {} : { 'aria-activedescendant': `node-${places.indexOf(selected.value)}` })}
      onClickCapture={(event) => {
        if (wasDragged()) event.stopPropagation()
      }}
      {...handlers}
    >
      <div class="world" role="none" style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}>
        <GraphEdges store={store} />
        <GraphNodes store={store} />
      </div>
    </div>
  )
}

function Tools({ store }: { readonly store: GraphStore }) {
  return (
    <div class="graph-tools" role="group" aria-label="View of the graph">
      {!isTable.value && (
        <>
          <button
            type="button"
            class="button"
            aria-label="Zoom out"
            title="Zoom out (-)"
            onClick={() => zoomOut(store)}
          >
            −
          </button>
          <button type="button" class="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoomIn(store)}>
            +
          </button>
          <button type="button" class="button" title="Show the whole graph (0)" onClick={store.viewport.fit}>
            Fit
          </button>
        </>
      )}
      <button
        type="button"
        class="button"
        aria-pressed={isTable.value}
        onClick={() => (isTable.value = !isTable.value)}
      >
        Table
      </button>
    </div>
  )
}
