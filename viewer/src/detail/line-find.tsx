import { useEffect, useRef } from 'preact/hooks'

import { wholeCount } from '../model/quantity.js'
import { MOST_HITS } from '../model/shown-lines.js'
import { IconButton } from '../parts/icon.js'

const TYPING_MS = 150

interface LineFindProps {
  readonly sought: string
  readonly count: number
  /** The index of the current hit, from 0; -1 for none. */
  readonly current: number
  /** Searches for a text in lower case, and goes to its first hit. */
  readonly seek: (text: string, isGoing: boolean) => void
  readonly go: (to: number) => void
}

/** The search field of a value. */
export function LineFind({ sought, count, current, seek, go }: LineFindProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const next = (): void => go(current + 1)
  const before = (): void => go(current < 0 ? -1 : current - 1)
  return (
    <div class="line-find" role="search">
      <input
        type="search"
        class="button"
        placeholder="Find in this value"
        aria-label="Find in this value"
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => seek(currentTarget.value.toLowerCase(), false), TYPING_MS)
        }}
        onKeyDown={({ key, shiftKey, currentTarget }) => {
          const text = currentTarget.value.toLowerCase()
          if (key === 'Enter' && text !== sought) {
            clearTimeout(timer.current)
            seek(text, true)
          } else if (key === 'Enter') (shiftKey ? before : next)()
          if (key === 'Escape') {
            currentTarget.value = ''
            clearTimeout(timer.current)
            seek('', false)
            currentTarget.blur()
          }
        }}
      />
      {sought !== '' && (
        <span class="muted number" role="status">
          {count === 0 ? 'No match' : `${current < 0 ? '' : `${wholeCount(current + 1)} of `}${countOf(count)}`}
        </span>
      )}
      <IconButton icon="up" label="Previous hit" disabled={count === 0} onClick={before} />
      <IconButton icon="down" label="Next hit" disabled={count === 0} onClick={next} />
    </div>
  )
}

const countOf = (hits: number): string => (hits === MOST_HITS ? `${wholeCount(hits)} or more` : wholeCount(hits))
