import { partsAround } from '../model/find.js'

interface MarkedProps {
  readonly text: string
  /** In lower case; '' highlights nothing. */
  readonly sought: string
  /** The offset of the current match. */
  readonly current?: number | undefined
}

/** A text with highlighted matches. */
export function Marked({ text, sought, current }: MarkedProps) {
  let at = 0
  return (
    <>
      {partsAround(text, sought).map((part, index) => {
        const isCurrent = at === current
        at += part.length
        return index % 2 === 0 ? (
          part
        ) : (
          <mark key={index} class={isCurrent ? 'current' : undefined}>
            {part}
          </mark>
        )
      })}
    </>
  )
}
