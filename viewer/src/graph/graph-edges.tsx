import type { GraphEdge } from '../model/agent-graph.js'
import { countText } from '../model/quantity.js'
import type { GraphStore } from './graph-store.js'
import { edgeWords } from './graph-words.js'
import type { EdgePlace } from './layout.js'

/** The calls between nodes; more calls make a wider edge. A click selects the first call, another click the next. */
export function GraphEdges({ store }: { readonly store: GraphStore }) {
  const { graph, layout, selected, selectedEdge } = store
  const { width, height, edges: places } = layout.value
  const { nodes, edges } = graph.value
  return (
    <svg class="edges" width={width} height={height} aria-hidden="true">
      {[...edges.values()].map((edge) => {
        const [from, to, place] = [nodes.get(edge.from), nodes.get(edge.to), places.get(edge.key)]
        if (!from || !to || !place) return null
        const isNear = edge.from === selected.value || edge.to === selected.value
        return (
          <Edge
            key={edge.key}
            edge={edge}
            place={place}
            words={edgeWords(edge, from, to)}
            nearness={edge.key === selectedEdge.value ? 'selected' : isNear ? 'near' : ''}
            select={() => store.selectIn(edge)}
          />
        )
      })}
    </svg>
  )
}

const WIDEST = 6

interface EdgeProps {
  readonly edge: GraphEdge
  readonly place: EdgePlace
  readonly words: string
  readonly nearness: 'selected' | 'near' | ''
  readonly select: () => void
}

function Edge({ edge: { spans, failures }, place: { way, tip, label }, words, nearness, select }: EdgeProps) {
  const width = Math.min(WIDEST, 1.25 + Math.log2(spans.length) * 0.6)
  return (
    <g class={`edge ${nearness}${failures === spans.length ? ' failed' : ''}`} onClick={select}>
      <title>{words}</title>
      <path class="reach" d={way} />
      <path class="way" d={way} stroke-width={width} />
      <path class="tip" d={tip} />
      {(spans.length > 1 || failures > 0) && (
        <text x={label.x} y={label.y}>
          {failures < spans.length && `${countText(spans.length)} `}
          {failures > 0 && <tspan class="failed-calls">✕{countText(failures)}</tspan>}
        </text>
      )}
    </g>
  )
}
