import { signal } from '@preact/signals'

const LEAST = 320
const AT_FIRST = { least: 400, share: 0.3, most: 680 }
const STEP = 24

/** The width of the detail pane, pixels. */
export const paneWidth = signal(
  Math.round(Math.min(AT_FIRST.most, Math.max(AT_FIRST.least, window.innerWidth * AT_FIRST.share))),
)

const most = (): number => Math.max(LEAST, window.innerWidth - 360)
const setWidth = (width: number): void => {
  paneWidth.value = Math.round(Math.min(most(), Math.max(LEAST, width)))
}

/** Resizes the detail pane, by the pointer or by arrow keys. */
export function ResizeHandle() {
  return (
    <div
      class="resize"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the detail"
      aria-valuenow={paneWidth.value}
      aria-valuemin={LEAST}
      aria-valuemax={most()}
      tabIndex={0}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key]
        if (by === undefined) return
        event.preventDefault()
        setWidth(paneWidth.peek() + by)
      }}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) setWidth(window.innerWidth - event.clientX)
      }}
    />
  )
}
