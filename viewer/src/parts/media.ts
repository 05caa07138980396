import { signal, type ReadonlySignal } from '@preact/signals'

/** Whether a media query matches. */
function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query)
  const now = signal(list.matches)
  list.addEventListener('change', () => {
    now.value = list.matches
  })
  return now
}

/** Whether the page is being printed. */
export const isPrinting = matches('print')
/** As narrow as a phone. */
export const isSmall = matches('(max-width: 640px)')
/** Too narrow for all columns of the list. */
export const isTight = matches('(min-width: 641px) and (max-width: 760px)')
/** Too narrow for two panes side by side. */
export const isNarrow = matches('(max-width: 900px)')
