import type { GraphNode } from '../model/agent-graph.js'
import { wholeCount } from '../model/quantity.js'
import { roleWord } from '../model/words.js'
import { Glyph } from '../parts/glyph.js'
import { StateSign } from '../parts/state-mark.js'
import type { GraphStore } from './graph-store.js'
import { nodeWords, spansWord, tollOf } from './graph-words.js'
import { NODE_HEIGHT, NODE_WIDTH, type Point } from './layout.js'

/** The nodes of a plan's graph. A click selects the first span, another click the next. */
export function GraphNodes({ store }: { readonly store: GraphStore }) {
  const { graph, layout, selected } = store
  return [...graph.value.nodes.values()].map((node, index) => {
    const at = layout.value.nodes.get(node.key)
    return (
      at && (
        <NodeBox
          key={node.key}
          id={`node-${index}`}
          node={node}
          at={at}
          isSelected={node.key === selected.value}
          select={() => store.selectIn(node)}
        />
      )
    )
  })
}

interface NodeBoxProps {
  readonly id: string
  readonly node: GraphNode
  readonly at: Point
  readonly isSelected: boolean
  readonly select: () => void
}

function NodeBox({ id, node, at, isSelected, select }: NodeBoxProps) {
  const { role, name, failures, taken, stopped, state } = node
  return (
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      title={nodeWords(node)}
      class={`node${isSelected ? ' selected' : ''}`}
      data-role={role}
      style={{
        width: `${NODE_WIDTH}px`,
        height: `${NODE_HEIGHT}px`,
        transform: `translate(${at.x - NODE_WIDTH / 2}px, ${at.y - NODE_HEIGHT / 2}px)`,
      }}
      onClick={select}
    >
      <Glyph role={role} />
      <span class="name">
        <span class="spoken">{roleWord(role)} </span>
        {name}
      </span>
      {state !== null && (
        <span class="going" data-state={state}>
          <StateSign state={state} />
          <span class="spoken">{state}</span>
        </span>
      )}
      <span class="figures number">
        <span class="muted">
          {spansWord(node)} · {tollOf(node)}
        </span>
        <Mark name="failures" sign="✕" count={failures} word="failed" />
        <Mark name="stopped" sign="■" count={stopped} word="stopped" />
        <Mark name="taken" sign="▲" count={taken} word="taken although unsafe" />
      </span>
    </div>
  )
}

interface MarkProps {
  readonly name: 'failures' | 'stopped' | 'taken'
  readonly sign: string
  readonly count: number
  readonly word: string
}

function Mark({ name, sign, count, word }: MarkProps) {
  if (count === 0) return null
  return (
    <span class={name}>
      {sign} {wholeCount(count)}
      <span class="spoken"> {word}</span>
    </span>
  )
}
