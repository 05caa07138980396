import { useState } from 'preact/hooks'

import { wholeCount } from '../model/quantity.js'

/** So much of a text is shown at once, characters. */
const PIECE = 20_000

/** A text, the beginning of a long one. */
export function LongText({ text }: { readonly text: string }) {
  const [shown, show] = useState(PIECE)
  return (
    <>
      <div class="text">{text.slice(0, shown)}</div>
      {text.length > shown && (
        <button type="button" class="more" onClick={() => show(shown + PIECE * 10)}>
          More: {wholeCount(text.length - shown)} characters
        </button>
      )}
    </>
  )
}
