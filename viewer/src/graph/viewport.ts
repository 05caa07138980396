import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Layout } from './layout.js'

/** The visible part of a graph: its offset, pixels, and its scale. */
export interface Looking {
  readonly x: number
  readonly y: number
  readonly scale: number
}

interface Size {
  readonly width: number
  readonly height: number
}

const MARGIN = 24
/** The smallest distance from the edge of the area at which an element counts as visible, pixels. */
const NEAR = 8
const [SMALLEST, LARGEST] = [0.1, 2.5]
/** The smallest scale at which names are readable. */
const READABLE = 0.7

/** Centers a graph, at most at its natural size and at least at a scale; of a larger graph, shows the beginning. */
export function fitting({ width, height }: Size, area: Size, least: number): Looking {
  const room = { width: Math.max(1, area.width - 2 * MARGIN), height: Math.max(1, area.height - 2 * MARGIN) }
  const scale = Math.max(least, Math.min(1, room.width / width, room.height / height))
  const [x, y] = [(area.width - width * scale) / 2, (area.height - height * scale) / 2]
  return { scale, x: Math.max(MARGIN, x), y: Math.max(MARGIN, y) }
}

const isAllSeen = ({ width, height }: Size, area: Size, { x, y, scale }: Looking): boolean =>
  x >= 0 && y >= 0 && x + width * scale <= area.width && y + height * scale <= area.height

export type Viewport = ReturnType<typeof createViewport>

/** Creates the viewport of a graph: it shows as much as is readable until the user moves it, then stays in bounds. */
export function createViewport(layout: ReadonlySignal<Layout>) {
  const area = signal<Size>({ width: 0, height: 0 })
  const own = signal<Looking | undefined>(undefined)
  const fitted = signal<Looking | undefined>(undefined)
  const looking = computed(() => own.value ?? fitted.value ?? { x: 0, y: 0, scale: 1 })
  const set = (next: Looking): void => {
    own.value = next
  }
  const move = (dx: number, dy: number): void => {
    const { x, y, scale } = looking.peek()
    set({ x: x + dx, y: y + dy, scale })
  }
  return {
    area,
    looking,
    move,

    /** Shows the whole graph at any scale. */
    fit(): void {
      own.value = fitting(layout.peek(), area.peek(), SMALLEST)
    },

    /** Zooms around a point of the area. @default its center */
    zoom(factor: number, at = { x: area.peek().width / 2, y: area.peek().height / 2 }): void {
      const { x, y, scale } = looking.peek()
      const next = Math.min(LARGEST, Math.max(SMALLEST, scale * factor))
      set({ scale: next, x: at.x - ((at.x - x) * next) / scale, y: at.y - ((at.y - y) * next) / scale })
    },

    /** Moves the graph until a box is visible. */
    reveal({ left, top, width, height }: Size & { readonly left: number; readonly top: number }): void {
      if (area.peek().width === 0) return
      const { x, y, scale } = looking.peek()
      const within = (from: number, length: number, room: number): number =>
        from < NEAR ? MARGIN - from : from + length > room - NEAR ? room - MARGIN - from - length : 0
      const dx = within(x + left * scale, width * scale, area.peek().width)
      const dy = within(y + top * scale, height * scale, area.peek().height)
      if (dx !== 0 || dy !== 0) move(dx, dy)
    },

    /** Keeps the graph in view as it and its area change. Returns a function that stops this. */
    follow: (): (() => void) =>
      effect(() => {
        const [graph, room] = [layout.value, area.value]
        if (graph.width === 0 || room.width === 0) return
        const [before, next] = [fitted.peek(), fitting(graph, room, READABLE)]
        const isRoomy = before && before.scale >= next.scale && isAllSeen(graph, room, before)
        if (!isRoomy) fitted.value = next
      }),
  }
}
