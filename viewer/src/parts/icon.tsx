/** Paths on a 16 by 16 grid, in the color of the surrounding text. */
const PATHS = {
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 14 14',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z',
  half: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 2v12M10.5 3.5v9M12.7 5v6',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  back: 'M10 3.5 5.5 8l4.5 4.5',
  filter: 'M2 4h12M4.5 8h7M7 12h2',
  follow: 'M8 2v9M4 7.5 8 11.5l4-4M3 14h10',
  link: 'M6.5 9.5l3-3M7.5 4.5 9 3a2.8 2.8 0 0 1 4 4l-1.5 1.5M8.5 11.5 7 13a2.8 2.8 0 0 1-4-4l1.5-1.5',
  leave: 'M9.5 2.5h-7v11h7M6.5 8h8M11.5 5l3 3-3 3',
  keys: 'M1.5 4h13v8h-13zM4 6.5h.01M6.5 6.5h.01M9 6.5h.01M11.5 6.5h.01M5 9.5h6',
  down: 'M8 3v10M4 9l4 4 4-4',
  up: 'M8 13V3M4 7l4-4 4 4',
  compare: 'M2.5 3H7v10H2.5zM9 3h4.5v10H9z',
  shield: 'M8 1.8 13 3.5v4c0 3.2-2.2 5.6-5 6.7-2.8-1.1-5-3.5-5-6.7v-4Z',
} as const
export type IconName = keyof typeof PATHS

/** A decorative icon beside a text or an accessible name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

interface IconButtonProps {
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
