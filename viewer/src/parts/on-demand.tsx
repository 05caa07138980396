import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

/** A component whose code is loaded when it is first shown. */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined)
  const hasFailed = signal(false)
  const begin = (): void => {
    if (loaded.peek()) return
    hasFailed.value = false
    load().then(
      (component) => {
        loaded.value = component
      },
      () => {
        hasFailed.value = true
      },
    )
  }
  return function OnDemand(props: Props) {
    useEffect(begin, [])
    const Component = loaded.value
    if (Component) return <Component {...props} />
    if (!hasFailed.value) return <p class="loading muted">Loading …</p>
    return (
      <section class="nothing" role="alert">
        <h2>This part of the page cannot be loaded</h2>
        <p>If the server was updated in the meantime, reload the page.</p>
        <button type="button" class="button" onClick={() => location.reload()}>
          Load anew
        </button>
      </section>
    )
  }
}
