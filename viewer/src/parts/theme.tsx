import { effect } from '@preact/signals'

import { IconButton } from './icon-button.js'
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
  return <IconButton icon={ICONS[theme.value]} label={label} onClick={() => (theme.value = next)} />
}
