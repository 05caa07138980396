import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'

import { isPrinting } from './media.js'

export interface VirtualOptions {
  readonly count: number
  /** In pixels; a function if rows differ in height. */
  readonly rowHeight: number | ((index: number) => number)
  /** The height above the rows within the scroll container, pixels. */
  readonly above?: number
}

export interface VirtualRows {
  /** The scroll container. */
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly items: readonly Pick<VirtualItem, 'index' | 'start'>[]
  readonly height: number
  readonly scrollTo: (index: number) => void
}

/** Returns the visible rows of a list; all of them for a printer. */
export function useVirtual({ count, rowHeight, above = 0 }: VirtualOptions): VirtualRows {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const element = useRef<HTMLDivElement>(null)
  const virtualizer = useRef<Virtualizer<HTMLDivElement, HTMLDivElement>>(undefined)
  const options = {
    count,
    getScrollElement: () => element.current,
    estimateSize: typeof rowHeight === 'number' ? () => rowHeight : rowHeight,
    overscan: 12,
    scrollPaddingStart: above,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined),
  }
  const made = (virtualizer.current ??= new Virtualizer<HTMLDivElement, HTMLDivElement>(options))
  made.setOptions(options)
  useEffect(() => made._didMount(), [made])
  useLayoutEffect(() => made._willUpdate())
  useLayoutEffect(() => made.measure(), [made, rowHeight])
  return {
    scroller: element,
    items: isPrinting.value ? allItems(options) : made.getVirtualItems(),
    height: made.getTotalSize(),
    scrollTo: (index) => made.scrollToIndex(index, { align: 'auto' }),
  }
}

interface Rows {
  readonly count: number
  readonly estimateSize: (index: number) => number
}

function allItems({ count, estimateSize }: Rows): Pick<VirtualItem, 'index' | 'start'>[] {
  let start = 0
  return Array.from({ length: count }, (_, index) => {
    const item = { index, start }
    start += estimateSize(index)
    return item
  })
}
