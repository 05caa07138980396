import { signal } from '@preact/signals'

import { IconButton } from './icon-button.js'
import type { IconName } from './icon.js'

/** What was done just now, for all to read and for screen readers to say. */
export const told = signal('')
let timer: ReturnType<typeof setTimeout> | undefined

export function tell(text: string): void {
  told.value = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    told.value = ''
  }, 2_500)
}

/** Copies a text, and says whether that went well. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    tell(`${what} copied`)
  } catch {
    tell('The browser does not let the page copy; select the text instead')
  }
}

interface CopyButtonProps {
  readonly text: () => string
  readonly what: string
  readonly icon?: IconName
}

export function CopyButton({ text, what, icon = 'copy' }: CopyButtonProps) {
  const label = `Copy ${what.toLowerCase()}`
  return <IconButton icon={icon} label={label} onClick={() => void copy(text(), what)} />
}
