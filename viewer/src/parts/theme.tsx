import { effect } from '@preact/signals'

import { IconButton } from './icon.js'
import { storedChoice } from './stored-choice.js'

const THEMES = ['system', 'light', 'dark'] as const
const theme = storedChoice('theme', THEMES)
const ICONS = { system: 'half', light: 'sun', dark: 'moon' } as const

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
})

/** Switches between the system's, light and dark colors. */
export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
  const label = `Colors: ${theme.value}. Change to ${next}`
  return <IconButton icon={ICONS[theme.value]} label={label} onClick={() => (theme.value = next)} />
}
