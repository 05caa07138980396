import type { Node } from '../model/tree.js'

const THINNEST = 1

/** Draws spans one below the other, each in its role's color, at the positions that `shareOf` returns. */
export function drawSpans(canvas: HTMLCanvasElement, nodes: readonly Node[], shareOf: (time: number) => number): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const { clientWidth, clientHeight } = canvas
  canvas.width = clientWidth * devicePixelRatio
  canvas.height = clientHeight * devicePixelRatio
  context.scale(devicePixelRatio, devicePixelRatio)
  const styles = getComputedStyle(canvas)
  const colours = new Map<string, string>()
  const colourOf = (name: string): string => {
    const known = colours.get(name) ?? styles.getPropertyValue(`--role-${name}`)
    colours.set(name, known)
    return known
  }
  const height = Math.max(THINNEST, clientHeight / nodes.length)
  for (const [index, { row }] of nodes.entries()) {
    const from = shareOf(row.start) * clientWidth
    const to = shareOf(row.start + row.duration) * clientWidth
    context.fillStyle = row.failed ? styles.getPropertyValue('--failed') : colourOf(COLOURS[row.role ?? 'think_act'])
    context.fillRect(from, (index / nodes.length) * clientHeight, Math.max(THINNEST, to - from), height)
  }
}

/** The color names of the roles. */
const COLOURS = {
  plan: 'plan',
  planning: 'plan',
  agent: 'agent',
  think_act: 'cycle',
  llm: 'model',
  tool: 'tool',
  guardrail: 'guardrail',
  wait: 'wait',
} as const
