import { costText, countText, durationText, wholeCount } from '../model/quantity.js'
import type { Node } from '../model/tree.js'
import { roleWord } from '../model/words.js'
import { Glyph } from '../parts/glyph.js'
import { Icon } from '../parts/icon.js'
import { Marked } from '../parts/marked.js'
import type { FindStore } from './find-store.js'
import { indentOf, levelText } from './indentation.js'
import { lengthOf } from './length-of.js'
import type { PlanStore } from './plan-store.js'
import { SpanBar } from './span-bar.js'
import { Marks } from './span-marks.js'
import type { TimeWindow } from './time-window.js'

interface SpanRowProps {
  readonly store: PlanStore
  readonly find: FindStore
  readonly node: Node
  readonly top: number
  readonly isSelected: boolean
  /** Only in the waterfall. */
  readonly time: TimeWindow | undefined
}

/** The row of a span. */
export function SpanRow({ store, find, node, top, isSelected, time }: SpanRowProps) {
  const { row, depth, children, parent } = node
  const isOpen = store.open.value.has(row.id)
  const siblings = parent?.children ?? store.tree.value.roots
  const isBranch = children.length > 0
  const isMatch = find.ids.value.has(row.id)
  const sought = isMatch ? find.sought.value : ''
  return (
    <div
      id={`span-${row.id}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(node) + 1}
      aria-selected={isSelected}
      {...(isBranch ? { 'aria-expanded': isOpen } : {})}
      class={`span-row${isSelected ? ' selected' : ''}${row.failed ? ' failed' : ''}${isMatch ? ' match' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => store.select(row.id)}
      onDblClick={() => isBranch && store.setOpen(row.id, !isOpen)}
    >
      <span class="s-name" style={{ paddingLeft: `${indentOf(depth)}px` }}>
        {levelText(depth) !== '' && <span class="level number muted">{levelText(depth)}</span>}
        <span
          class={`fold${isOpen ? ' open' : ''}`}
          onClick={(event) => {
            if (!isBranch) return
            event.stopPropagation()
            store.setOpen(row.id, !isOpen)
          }}
        >
          {isBranch && <Icon name="chevron" />}
        </span>
        <Glyph role={row.role} />
        <span class="spoken">{roleWord(row.role)} </span>
        <span class="name">
          <Marked text={row.name} sought={sought} />
        </span>
        {row.label !== '' && (
          <span class="label muted">
            <Marked text={row.label} sought={sought} />
          </span>
        )}
        {row.failure !== null && row.failure !== '' && (
          <span class="failure-text" title={row.failure}>
            {row.failure}
          </span>
        )}
        {isBranch && !isOpen && <Below node={node} />}
        {isBranch && !isOpen && <MatchesBelow count={find.below.value.get(row.id) ?? 0} />}
        <GapMark store={store} id={row.id} />
        {time && <Marks node={node} isOpen={isOpen} />}
      </span>
      {time ? (
        <SpanBar row={row} length={lengthOf(store, row)} time={time} />
      ) : (
        <>
          <span class="s-marks">
            <Marks node={node} isOpen={isOpen} />
          </span>
          <span class={`s-tokens number${row.tokens === null ? ' muted' : ''}`} title={tokenTitle(node)}>
            {node.tokens > 0 ? countText(node.tokens) : ''}
          </span>
          <span class={`s-cost number${row.costUsd === null ? ' muted' : ''}`} title={costTitle(node)}>
            {node.costUsd !== null && costText(node.costUsd)}
          </span>
          <span class="s-duration number">{durationText(lengthOf(store, row))}</span>
        </>
      )}
    </div>
  )
}

/** The mark for gaps. */
function GapMark({ store, id }: { readonly store: PlanStore; readonly id: string }) {
  const gaps = store.gaps.value.get(id)
  if (!gaps) return null
  const text = gaps.map(({ what }) => what).join('\n')
  return (
    <span class="mark gap" title={text}>
      ⋯ <span class="mark-word">missing: {text}</span>
    </span>
  )
}

const tokenTitle = ({ row, tokens }: Node): string =>
  row.tokens === null ? `${wholeCount(tokens)} tokens below` : `${wholeCount(row.tokens)} tokens`

const costTitle = ({ row, costUsd }: Node): string =>
  costUsd === null ? '' : row.costUsd === null ? `${costText(costUsd)} below` : costText(row.costUsd)

const MOST_GLYPHS = 6

/** The content of a closed branch: a cycle's only calls in words, glyphs of a few spans, else their number. */
function Below({ node: { row, children, spans } }: { readonly node: Node }) {
  if (row.role === 'think_act' && isOneAndOne(children)) return <OneAndOne of={row.name} calls={children} />
  const isShort = children.length <= MOST_GLYPHS && children.every((child) => child.children.length <= 1)
  return (
    <span class="below muted" aria-hidden="true">
      {isShort ? children.map((child) => <Glyph key={child.row.id} role={child.row.role} />) : wholeCount(spans - 1)}
    </span>
  )
}

const isOneAndOne = (children: readonly Node[]): boolean =>
  children.length === 2 && children[0]?.row.role === 'llm' && children[1]?.row.role === 'tool'

/** A model call and the tool call that it requested, in one row with their cycle. */
function OneAndOne({ of, calls }: { readonly of: string; readonly calls: readonly Node[] }) {
  return (
    <span class="calls muted">
      {calls.map(({ row: { id, role, name, label } }) => (
        <span key={id}>
          <Glyph role={role} />
          {/* The cycle's name already contains it. */}
          {!of.includes(name) && <span>{name}</span>}
          {role === 'tool' && label !== '' && <span>{label}</span>}
        </span>
      ))}
    </span>
  )
}

/** The number of matches in a closed branch. */
function MatchesBelow({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <span class="matches-below" title={`${wholeCount(count)} ${count === 1 ? 'match' : 'matches'} below`}>
      {wholeCount(count)}
      <span class="spoken"> {count === 1 ? 'match' : 'matches'} below</span>
    </span>
  )
}
