/** What a key does on the page that is shown. */
export interface KeyBinding {
  /** As `KeyboardEvent.key` tells it. */
  readonly keys: readonly string[]
  /** As `?` tells it. */
  readonly shown: string
  readonly does: string
  readonly run: () => void
}

const bindings = new Set<readonly KeyBinding[]>()

/** Binds keys until the returned function is called. Later ones go before earlier ones. */
export function bindKeys(these: readonly KeyBinding[]): () => void {
  bindings.add(these)
  return () => bindings.delete(these)
}

/** All that keys do at the moment: not what later bindings have taken the keys of. */
export function boundKeys(): readonly KeyBinding[] {
  const taken = new Set<string>()
  const found = [...bindings].toReversed().map((these) => {
    const left = these.filter(({ keys }) => !keys.every((key) => taken.has(key)))
    for (const key of these.flatMap(({ keys }) => keys)) taken.add(key)
    return left
  })
  return found.toReversed().flat()
}

/** Keys pressed in a field, in a dialog or with a modifier are not the page's. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const { target } = event
    if (target instanceof Element && target.closest('input, textarea, select, dialog, [contenteditable]')) return
    const binding = [...bindings]
      .reverse()
      .flat()
      .find(({ keys }) => keys.includes(event.key))
    if (!binding) return
    if (event.key === 'Enter' && target instanceof Element && target.closest('a, button, summary')) return
    event.preventDefault()
    binding.run()
  })
}
