import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import { bindKeys } from '../keys/keys.js'
import { wholeCount } from '../model/quantity.js'
import { Icon } from '../parts/icon.js'
import { isNarrow } from '../parts/media.js'
import { TopBar } from '../parts/top-bar.js'
import { here, setParameters } from '../url/location.js'
import { facets } from './list-store.js'
import { LiveSwitch } from './live-switch.js'
import { TimeRange } from './time-range.js'

const TYPING_MS = 250

/** Search, time range and the other controls of the whole list. */
export function ListBar({ areFacetsOpen }: { readonly areFacetsOpen: Signal<boolean> }) {
  const plans = facets.value?.plans
  return (
    <TopBar>
      <SearchField />
      {isNarrow.value && (
        <button
          type="button"
          class="button"
          aria-expanded={areFacetsOpen.value}
          onClick={() => (areFacetsOpen.value = !areFacetsOpen.value)}
        >
          <Icon name="filter" />
          {areFacetsOpen.value ? 'Plans' : 'Filters'}
        </button>
      )}
      <TimeRange />
      <span class="count muted" aria-live="polite">
        {plans === undefined ? '' : `${wholeCount(plans)} ${plans === 1 ? 'plan' : 'plans'}`}
      </span>
      <span class="fill" />
      <LiveSwitch />
    </TopBar>
  )
}

function SearchField() {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const text = here.value.searchParams.get('text') ?? ''
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = text
  }, [text])
  useEffect(() => bindKeys([{ keys: ['/'], shown: '/', does: 'Search', run: () => input.current?.select() }]), [])
  const search = (value: string): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setParameters({ text: value.trim() }, { replace: true }), TYPING_MS)
  }
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        placeholder="Title, request, answer or error"
        aria-label="Search in title, request, answer and errors"
        defaultValue={text}
        onInput={({ currentTarget }) => search(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur()
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  )
}
