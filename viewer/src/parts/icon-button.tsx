import { Icon, type IconName } from './icon.js'

export interface IconButtonProps {
  readonly icon: IconName
  /** The accessible name. */
  readonly label: string
  /** The tooltip. */
  readonly title?: string
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** A button with an icon. */
export function IconButton({ icon, label, title = label, disabled = false, onClick }: IconButtonProps) {
  return (
    <button type="button" class="quiet" aria-label={label} title={title} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
