import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import { KIND_TITLES, KINDS } from '../model/find.js'
import { wholeCount } from '../model/quantity.js'
import { IconButton, Icon } from '../parts/icon.js'
import type { FindStore } from './find-store.js'

const TYPING_MS = 250

/** Searches the plan for a text, or for a kind of span. */
export function FindBar({ find }: { readonly find: FindStore }) {
  const { isActive, kind, kinds, isWhole } = find
  return (
    <div class="find-bar" role="search">
      <span class="find-kinds">
        {KINDS.map((one) => {
          const count = kinds.value[one].length
          const isChosen = kind.value === one
          return (
            <button
              key={one}
              type="button"
              class="quiet find-kind"
              aria-pressed={isChosen}
              disabled={isWhole.value && count === 0 && !isChosen}
              title={KIND_TITLES[one]}
              onClick={() => find.setKind(isChosen ? undefined : one)}
            >
              {one} {isWhole.value && <span class="number">{wholeCount(count)}</span>}
            </button>
          )
        })}
      </span>
      <FindField find={find} />
      {isActive.value && <FindSteps find={find} />}
    </div>
  )
}

function FindField({ find }: { readonly find: FindStore }) {
  const { text, isWanted, isActive } = find
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = text.value
  }, [text.value])
  // At once, so that the next keystroke goes to the field.
  useSignalEffect(() => {
    if (!isWanted.value) return
    isWanted.value = false
    input.current?.focus()
    input.current?.select()
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const take = (): void => {
    clearTimeout(timer.current)
    if (input.current && input.current.value.trim() !== text.peek()) find.setText(input.current.value)
  }
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        placeholder="Find in this plan"
        aria-label="Find in this plan"
        aria-keyshortcuts="/"
        maxLength={200}
        defaultValue={text.value}
        onInput={() => {
          clearTimeout(timer.current)
          timer.current = setTimeout(take, TYPING_MS)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            take()
            find.go(event.shiftKey ? -1 : 1)
          } else if (event.key === 'Escape') {
            event.preventDefault()
            clearTimeout(timer.current)
            event.currentTarget.value = ''
            event.currentTarget.blur()
            find.end()
          }
        }}
      />
      {!isActive.value && <kbd aria-hidden="true">/</kbd>}
    </label>
  )
}

/** The number of the current match, and buttons for the others. */
function FindSteps({ find }: { readonly find: FindStore }) {
  const { matches, position, isAsking, failure } = find
  const count = matches.value.length
  return (
    <span class="find-steps">
      <span class="find-count number" role="status" title={failure.value}>
        {failure.value === undefined
          ? isAsking.value && count === 0
            ? 'Searching …'
            : positionText(position.value, count)
          : 'Failed'}
      </span>
      <IconButton
        icon="up"
        label="Previous match"
        title="Previous match (N)"
        disabled={count === 0}
        onClick={() => find.go(-1)}
      />
      <IconButton
        icon="down"
        label="Next match"
        title="Next match (n)"
        disabled={count === 0}
        onClick={() => find.go(1)}
      />
      <IconButton icon="close" label="Close the search" title="Close the search (Esc)" onClick={find.end} />
    </span>
  )
}

function positionText(position: number, count: number): string {
  if (count === 0) return 'No match'
  if (position > 0) return `${wholeCount(position)} of ${wholeCount(count)}`
  return count === 1 ? '1 match' : `${wholeCount(count)} matches`
}
