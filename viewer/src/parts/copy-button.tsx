import { IconButton, type IconName } from './icon.js'
import { announce } from './announcement.js'

/** Copies a text, and reports whether it succeeded. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    announce(`${what} copied`)
  } catch {
    announce('The browser denies copying; select the text instead')
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
