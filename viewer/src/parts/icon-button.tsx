import { Icon, type IconName } from './icon.js'

export interface IconButtonProps {
  readonly icon: IconName
  /** What it does, for those who do not see the icon. */
  readonly label: string
  /** What is shown when the pointer rests on it. */
  readonly title?: string
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** A button that is an icon. */
export function IconButton({ icon, label, title = label, disabled = false, onClick }: IconButtonProps) {
  return (
    <button type="button" class="quiet" aria-label={label} title={title} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
