import type { Viewport } from './viewport.js'

const KEY_STEP = 60
/** A shorter movement is a click, pixels. */
const SHORTEST_DRAG = 4

/** Dragging pans a graph; two fingers, or ctrl and the wheel, zoom it; so do shift and the arrows, plus and minus. */
export function gesturesOf(viewport: Viewport) {
  const pointers = new Map<number, { readonly x: number; readonly y: number }>()
  let travelled = 0
  const placeIn = (event: MouseEvent & { currentTarget: HTMLElement }) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const release = (event: PointerEvent): void => {
    pointers.delete(event.pointerId)
  }
  return {
    /** Whether the gesture that ends now was a drag, so that no click follows. */
    wasDragged: (): boolean => travelled >= SHORTEST_DRAG,
    onPointerDown(event: PointerEvent & { currentTarget: HTMLElement }): void {
      if (event.button !== 0) return
      if (pointers.size === 0) travelled = 0
      pointers.set(event.pointerId, placeIn(event))
    },
    onPointerMove(event: PointerEvent & { currentTarget: HTMLElement }): void {
      const before = pointers.get(event.pointerId)
      if (!before) return
      const at = placeIn(event)
      pointers.set(event.pointerId, at)
      travelled += Math.hypot(at.x - before.x, at.y - before.y)
      if (travelled < SHORTEST_DRAG) return
      // From here on it is not a click on the elements below.
      event.currentTarget.setPointerCapture(event.pointerId)
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place)
      if (!other) return viewport.move(at.x - before.x, at.y - before.y)
      const apart = (point: typeof at): number => Math.hypot(point.x - other.x, point.y - other.y)
      viewport.zoom(apart(at) / Math.max(1, apart(before)), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 })
    },
    onPointerUp: release,
    onPointerCancel: release,
    onWheel(event: WheelEvent & { currentTarget: HTMLElement }): void {
      event.preventDefault()
      if (event.ctrlKey || event.metaKey) viewport.zoom(Math.exp(-event.deltaY / 300), placeIn(event))
      else viewport.move(-event.deltaX, -event.deltaY)
    },
    onKeyDown(event: KeyboardEvent): void {
      const way = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key]
      if (!event.shiftKey || !way) return
      event.preventDefault()
      viewport.move((way[0] ?? 0) * KEY_STEP, (way[1] ?? 0) * KEY_STEP)
    },
  }
}
