import { useEffect, useMemo } from 'preact/hooks'

import { useVirtual } from '../parts/use-virtual.js'
import type { FindStore } from './find-store.js'
import type { PlanStore } from './plan-store.js'
import { Minimap } from './minimap.js'
import { SpanRow } from './span-row.js'
import { TimeAxis } from './time-axis.js'
import { TimeGrid } from './time-grid.js'
import { createTimeWindow, shareUnder, type TimeWindow } from './time-window.js'
import type { View } from './view-tabs.js'

const ROW = 28
const HEADER = 30

interface SpanViewProps {
  readonly store: PlanStore
  readonly find: FindStore
  readonly view: View
}

/** The spans of a plan in tree order: with figures, or on one time axis. */
export function SpanView({ store, find, view }: SpanViewProps) {
  const { visible, selected, isWhole, isFollowing } = store
  const nodes = visible.value
  const { scroller, items, height, scrollTo } = useVirtual({ count: nodes.length, rowHeight: ROW, above: HEADER })
  const time = useMemo(() => createTimeWindow(store), [store])
  const at = nodes.findIndex(({ row }) => row.id === selected.value)
  useEffect(() => {
    if (at >= 0) scrollTo(at)
  }, [selected.value, at < 0, view])
  const newest = nodes.at(-1)?.row.id
  useEffect(() => {
    if (isFollowing.value && store.mayChange.value && selected.value === undefined) scrollTo(nodes.length - 1)
  }, [newest, isFollowing.value])
  const current = nodes[at]
  return (
    <div class={`span-view ${view}`}>
      {view === 'waterfall' && <Minimap store={store} time={time} />}
      <div
        ref={scroller}
        class="scroller"
        role="tree"
        aria-label="Spans"
        aria-busy={!isWhole.value}
        tabIndex={0}
        {...(current ? { 'aria-activedescendant': `span-${current.row.id}` } : {})}
        {...(view === 'waterfall' && {
          onWheel: time.zoomByWheel,
          onPointerMove: (event: PointerEvent) => {
            const share = shareUnder(event)
            time.pointer.value = share !== undefined && share >= 0 && share <= 1 ? share : undefined
          },
          onPointerLeave: () => {
            time.pointer.value = undefined
          },
        })}
      >
        <Header view={view} time={time} />
        <div class="rows" role="none" style={{ height: `${height}px` }}>
          {view === 'waterfall' && <TimeGrid time={time} />}
          {items.map(({ index, start }) => {
            const node = nodes[index]
            return (
              node && (
                <SpanRow
                  key={node.row.id}
                  store={store}
                  find={find}
                  node={node}
                  top={start}
                  isSelected={index === at}
                  time={view === 'waterfall' ? time : undefined}
                />
              )
            )
          })}
        </div>
        {isWhole.value && nodes.length === 0 && (
          <p class="nothing">No spans of this plan are stored yet. They appear here when they arrive.</p>
        )}
      </div>
    </div>
  )
}

function Header({ view, time }: { readonly view: View; readonly time: TimeWindow }) {
  return (
    <div class="span-row header" role="none">
      <span class="s-name">Span</span>
      {view === 'waterfall' ? (
        <TimeAxis time={time} />
      ) : (
        <>
          <span class="s-marks" />
          <span class="s-tokens number" title="Of the span and its descendants">
            Tokens
          </span>
          <span class="s-cost number" title="Of the span and its descendants">
            Cost
          </span>
          <span class="s-duration number">Duration</span>
        </>
      )}
    </div>
  )
}
