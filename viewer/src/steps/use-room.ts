import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

import type { RowRoom } from './row-height.js'

/** Below this width, the work is below the steps, pixels. */
const STACKED = 860
/** The width beside the text of a note and of a step, pixels. */
const BESIDE_NOTE = 104
const BESIDE_TITLE = 72
/** The ribbon's share of a stacked line, without the width beside it, pixels. */
const STACKED_RIBBON = 0.74
const BESIDE_RIBBON = 168

/** Measures the columns by those of the header. */
export function useRoom(header: RefObject<HTMLDivElement | null>): RowRoom & { readonly ribbon: number } {
  const room = useSignal({ title: 300, line: 700, ribbon: 360, isStacked: false })
  useLayoutEffect(() => {
    const measure = (): void => {
      const element = header.current
      if (!element) return
      const width = (selector: string): number => element.querySelector(selector)?.clientWidth ?? 0
      const isStacked = element.clientWidth < STACKED
      room.value = {
        title: width('.w-step') - BESIDE_TITLE,
        line: element.clientWidth - BESIDE_NOTE,
        ribbon: isStacked ? element.clientWidth * STACKED_RIBBON - BESIDE_RIBBON : width('.ribbon'),
        isStacked,
      }
    }
    const observer = new ResizeObserver(measure)
    if (header.current) observer.observe(header.current)
    measure()
    return () => observer.disconnect()
  }, [])
  return room.value
}
