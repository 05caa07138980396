import { computed } from '@preact/signals'

import { agentGraphOf, edgeKeyOf, type GraphEdge, type GraphNode, placeOf } from '../model/agent-graph.js'
import type { PlanStore } from '../plan/plan-store.js'
import { layoutOf, NODE_HEIGHT, NODE_WIDTH, type Topology } from './layout.js'
import { createViewport } from './viewport.js'

export type GraphStore = ReturnType<typeof createGraphStore>

/** Creates the store of a plan's graph: its nodes and edges, their layout, and the selection. */
export function createGraphStore({ tree, selectedNode, select }: PlanStore) {
  const graph = computed(() => agentGraphOf(tree.value))
  // Compared as text, so that new counts do not change the layout.
  const topology = computed(() => {
    const { nodes, edges } = graph.value
    const plain: Topology = {
      nodes: [...nodes.keys()],
      edges: [...edges.values()].map(({ key, from, to }) => [key, from, to]),
    }
    return JSON.stringify(plain)
  })
  const layout = computed(() => layoutOf(JSON.parse(topology.value) as Topology))
  const viewport = createViewport(layout)
  const selected = computed(() => selectedNode.value && placeOf(selectedNode.value, graph.value)?.key)
  /** The edge of the selected span. */
  const selectedEdge = computed(() => {
    const node = selectedNode.value
    const [to, from] = [selected.value, node?.parent && placeOf(node.parent, graph.value)?.key]
    return node && to !== undefined && from !== undefined && graph.value.places.has(node.row.id)
      ? edgeKeyOf(from, to)
      : undefined
  })

  /** Selects the first of some spans, or the one after the selected span. */
  const selectIn = ({ spans }: Pick<GraphNode | GraphEdge, 'spans'>, by = 1): void => {
    const at = spans.indexOf(selectedNode.peek()?.row.id ?? '')
    select(at < 0 ? spans[0] : spans[(at + by + spans.length) % spans.length])
  }

  return {
    graph,
    layout,
    viewport,
    selected,
    selectedEdge,
    selectIn,

    /** Goes to the next or previous span of the selected node. */
    toSpan(by: number): void {
      const node = graph.peek().nodes.get(selected.peek() ?? '') ?? graph.peek().nodes.values().next().value
      if (node) selectIn(node, by)
    },

    /** Selects the nearest node in a direction. */
    toNode(dx: number, dy: number): void {
      const { nodes } = layout.peek()
      const from = nodes.get(selected.peek() ?? '')
      const far = (key: string): number => {
        const to = nodes.get(key)
        if (!from || !to) return 0
        const [x, y] = [to.x - from.x, to.y - from.y]
        const [along, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)]
        return along > 1 ? along + 2 * aside : Number.POSITIVE_INFINITY
      }
      const [nearest] = [...graph.peek().nodes.values()].toSorted((a, b) => far(a.key) - far(b.key))
      if (nearest && far(nearest.key) < Number.POSITIVE_INFINITY) select(nearest.spans[0])
    },

    /** Scrolls the selected node into view. */
    reveal(): void {
      const at = layout.peek().nodes.get(selected.peek() ?? '')
      if (!at) return
      const [width, height] = [NODE_WIDTH, NODE_HEIGHT]
      viewport.reveal({ left: at.x - width / 2, top: at.y - height / 2, width, height })
    },
  }
}
