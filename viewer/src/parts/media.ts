import { signal, type ReadonlySignal } from '@preact/signals'

/** Whether a media query holds. */
function matches(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query)
  const now = signal(list.matches)
  list.addEventListener('change', () => {
    now.value = list.matches
  })
  return now
}

/** As wide as a telephone. */
export const isSmall = matches('(max-width: 640px)')
/** Too narrow for two panes beside each other. */
export const isNarrow = matches('(max-width: 900px)')
