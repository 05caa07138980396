import { useEffect } from 'preact/hooks'

import { planLetter } from '../model/compared.js'
import { isNarrow } from '../parts/media.js'
import { useVirtual } from '../parts/use-virtual.js'
import type { CompareStore } from './compare-store.js'
import { PairRow } from './pair-row.js'

const ROW = 30
const NARROW_ROW = 54
const HEADER = 30

/** The visible rows of two plans. */
export function PairRows({ store }: { readonly store: CompareStore }) {
  const { compared, pair, other, selected } = store
  const count = pair.value?.rowCount ?? 0
  const rowHeight = isNarrow.value ? NARROW_ROW : ROW
  const { scroller, items, height, scrollTo } = useVirtual({ count, rowHeight, above: HEADER })
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => store.needRows(first, last), [first, last, pair.value])
  useEffect(() => {
    if (selected.value >= 0) scrollTo(selected.value)
  }, [selected.value, other.value])
  return (
    <div class="pair-area">
      <div
        ref={scroller}
        class="scroller"
        role="grid"
        aria-label={`${planLetter(0)} beside ${planLetter(other.value)}`}
        aria-rowcount={count + 1}
        tabIndex={0}
        {...(selected.value >= 0 ? { 'aria-activedescendant': `pair-${selected.value}` } : {})}
      >
        <div role="row" aria-rowindex={1} class="pair-row header">
          {[0, other.value].map((index) => (
            <span key={index} role="columnheader" class="p-plan">
              <strong>{planLetter(index)}</strong> {compared.value?.plans[index]?.title}
            </span>
          ))}
          <span role="columnheader" class="p-what">
            Differs in
          </span>
          <span role="columnheader" class="p-more number" title="Tokens of the second plan minus tokens of the first">
            Tokens
          </span>
          <span
            role="columnheader"
            class="p-more p-cost number"
            title="Cost of the second plan minus cost of the first"
          >
            Cost
          </span>
          <span
            role="columnheader"
            class="p-more number"
            title="Duration of the second plan minus duration of the first"
          >
            Duration
          </span>
        </div>
        <div role="rowgroup" class="rows" style={{ height: `${height}px` }}>
          {items.map(({ index, start }) => (
            <PairRow key={index} store={store} index={index} top={start} height={rowHeight} />
          ))}
        </div>
      </div>
    </div>
  )
}
