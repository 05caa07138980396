import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface MenuProps {
  readonly label: ComponentChildren
  readonly children: ComponentChildren
  readonly onOpen?: () => void
}

/** A button that opens a menu; a choice, a click elsewhere or Esc closes it. */
export function Menu({ label, children, onOpen }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event): void => {
      const element = details.current
      if (!element?.open) return
      const isElsewhere = event.target instanceof Node && !element.contains(event.target)
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : isElsewhere) element.open = false
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', close)
    }
  }, [])
  return (
    <details
      ref={details}
      class="menu"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) onOpen?.()
      }}
    >
      <summary class="button">{label}</summary>
      <div
        class="menu-list"
        onClick={() => {
          if (details.current) details.current.open = false
        }}
      >
        {children}
      </div>
    </details>
  )
}
