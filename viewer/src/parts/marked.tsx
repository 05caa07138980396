import { partsAround } from '../model/find.js'

interface MarkedProps {
  readonly text: string
  /** In lower case; '' marks nothing. */
  readonly sought: string
  /** Where the one of them begins that one is at. */
  readonly current?: number | undefined
}

/** A text in which what is looked for is marked. */
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
