import { bindKeys } from '../keys/keys.js'
import type { GraphStore } from './graph-store.js'

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
