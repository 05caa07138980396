/** The action of a key on the current page. */
export interface KeyBinding {
  /** The values of `KeyboardEvent.key`. */
  readonly keys: readonly string[]
  /** The label in the key help. */
  readonly shown: string
  readonly does: string
  readonly run: () => void
}

const bindings = new Set<readonly KeyBinding[]>()

/** Binds keys; later bindings take precedence. Returns a function that removes them. */
export function bindKeys(these: readonly KeyBinding[]): () => void {
  bindings.add(these)
  return () => bindings.delete(these)
}

/** The current bindings, without keys that later bindings override. */
export function boundKeys(): readonly KeyBinding[] {
  const taken = new Set<string>()
  const found = [...bindings].toReversed().map((these) => {
    const left = these.filter(({ keys }) => !keys.every((key) => taken.has(key)))
    for (const key of these.flatMap(({ keys }) => keys)) taken.add(key)
    return left
  })
  return found.toReversed().flat()
}

/** Listens to keys, except in fields, in dialogs and with a modifier. */
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
