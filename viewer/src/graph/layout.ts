import { Graph, layout } from '@dagrejs/dagre'

export const NODE_WIDTH = 196
export const NODE_HEIGHT = 46
/** The room for the number of calls, which many edges do not have. */
const LABEL = { width: 44, height: 14 }
const CROWDED = { edges: 60, height: 1 }

export interface Point {
  readonly x: number
  readonly y: number
}

/** The centers of nodes, and the paths of edges with the positions of their labels. */
export interface Layout {
  readonly nodes: ReadonlyMap<string, Point>
  readonly edges: ReadonlyMap<string, EdgePlace>
  readonly width: number
  readonly height: number
}

export interface EdgePlace {
  readonly way: string
  /** The arrowhead. */
  readonly tip: string
  readonly label: Point
}

export interface Topology {
  readonly nodes: readonly string[]
  readonly edges: readonly (readonly [key: string, from: string, to: string])[]
}

/** Lays out a graph in layers, from left to right. The same graph has the same layout. */
export function layoutOf({ nodes, edges }: Topology): Layout {
  const graph = new Graph({ multigraph: false })
  const isCrowded = edges.length > CROWDED.edges
  const label = { ...LABEL, ...(isCrowded && { height: CROWDED.height }), labelpos: 'c' as const }
  graph.setGraph({ rankdir: 'LR', nodesep: 18, edgesep: isCrowded ? 2 : 10, ranksep: 44, ranker: 'tight-tree' })
  for (const key of nodes) graph.setNode(key, { width: NODE_WIDTH, height: NODE_HEIGHT })
  for (const [, from, to] of edges) graph.setEdge(from, to, { ...label })
  layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  return {
    width: Math.max(0, width),
    height: Math.max(0, height),
    nodes: new Map(nodes.map((key) => [key, pointOf(graph.node(key))])),
    edges: new Map(
      edges.map(([key, from, to]) => {
        const [begin, end, edge] = [pointOf(graph.node(from)), pointOf(graph.node(to)), graph.edge(from, to)]
        if (from === to) return [key, loopAt(begin)]
        return [key, { ...wayOf([begin, ...(edge.points ?? []).slice(1, -1), end]), label: pointOf(edge) }]
      }),
    ),
  }
}

const pointOf = ({ x = 0, y = 0 }: Partial<Point>): Point => ({ x, y })
const shown = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`

const TIP = 7

/** A smooth path along points; the first and the last are centers of nodes. It runs from side to side of the nodes. */
function wayOf(points: readonly Point[]): Omit<EdgePlace, 'label'> {
  const [first, last] = [points[0] ?? ORIGIN, points.at(-1) ?? ORIGIN]
  const ahead = last.x >= first.x ? 1 : -1
  const half = (ahead * NODE_WIDTH) / 2
  const [begin, end] = [first.x + half, last.x - half]
  const base = { x: end - ahead * TIP, y: last.y }
  const stops = [{ x: begin, y: first.y }, ...points.slice(1, -1), base]
  const curves = stops.slice(1).map((to, index) => {
    const from = stops[index] ?? to
    const middle = (from.x + to.x) / 2
    return `C${shown(middle, from.y)} ${shown(middle, to.y)} ${shown(to.x, to.y)}`
  })
  return { way: `M${shown(begin, first.y)}${curves.join('')}`, tip: tipAt({ x: end, y: last.y }, base.x) }
}

/** An arrowhead from its base to its tip. */
const tipAt = ({ x, y }: Point, base: number): string =>
  `M${shown(x, y)}L${shown(base, y - TIP / 2)}L${shown(base, y + TIP / 2)}Z`

const ORIGIN: Point = { x: 0, y: 0 }

/** The edge of a node that calls itself, on its right side. */
function loopAt({ x, y }: Point): EdgePlace {
  const side = x + NODE_WIDTH / 2
  const end = y + 9
  return {
    way: `M${shown(side, y - 9)}C${shown(side + 34, y - 20)} ${shown(side + 34, y + 20)} ${shown(side + TIP, end)}`,
    tip: tipAt({ x: side, y: end }, side + TIP),
    label: { x: side + 36, y },
  }
}
