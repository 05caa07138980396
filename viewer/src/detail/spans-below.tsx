import { durationText } from '../model/quantity.js'
import type { Node } from '../model/tree.js'
import { Glyph } from '../parts/glyph.js'
import { Marks } from '../plan/span-marks.js'
import { Section } from './section.js'

const MOST = 30

interface SpansBelowProps {
  readonly title: string
  readonly node: Node
  readonly select: (id: string) => void
}

/** Links to a span's children. */
export function SpansBelow({ title, node: { children }, select }: SpansBelowProps) {
  if (children.length === 0) return null
  return (
    <Section title={title}>
      <ul class="spans-below">
        {children.slice(0, MOST).map((child) => (
          <li key={child.row.id}>
            <button type="button" onClick={() => select(child.row.id)}>
              <Glyph role={child.row.role} />
              <span class="name">{child.row.name}</span>
              <span class="label muted">{child.row.label}</span>
              <Marks node={child} isOpen={false} />
              <span class="number muted">{durationText(child.row.duration)}</span>
            </button>
          </li>
        ))}
      </ul>
      {children.length > MOST && <p class="muted">and {children.length - MOST} more</p>}
    </Section>
  )
}
