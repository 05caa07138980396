import { effect } from '@preact/signals'

import { Icon } from './icon.js'
import { storedChoice } from './stored-choice.js'

const THEMES = ['system', 'light', 'dark'] as const
const theme = storedChoice('theme', THEMES)
const ICONS = { system: 'half', light: 'sun', dark: 'moon' } as const

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
})

/** Goes from the system's colours to light to dark ones. */
export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
  const label = `Colours: ${theme.value}. Change to ${next}`
  return (
    <button type="button" class="quiet" aria-label={label} title={label} onClick={() => (theme.value = next)}>
      <Icon name={ICONS[theme.value]} />
    </button>
  )
}
