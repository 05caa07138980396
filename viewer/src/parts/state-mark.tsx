import type { State } from '../model/words.js'

const SHAPES: Readonly<Record<State, string>> = {
  completed: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  running: 'M8 3a5 5 0 0 1 0 10',
  planning: 'M8 3a5 5 0 0 1 0 10',
  updating: 'M8 3a5 5 0 0 1 0 10',
  waiting: 'M5.5 4v8M10.5 4v8',
  interrupted: 'M9.5 2 5 9h5.5L6.5 14',
  cancelled: 'M4 8h8',
}
const TURNING: ReadonlySet<State> = new Set(['running', 'planning', 'updating'])

/** The icon of a state. */
export function StateSign({ state }: { readonly state: State }) {
  return (
    <svg class="state-sign" data-state={state} viewBox="0 0 16 16" aria-hidden="true">
      {TURNING.has(state) && <circle cx="8" cy="8" r="5" />}
      <path class={TURNING.has(state) ? 'turning' : undefined} d={SHAPES[state]} />
    </svg>
  )
}

/** A state with its word, icon and color. */
export function StateMark({ state }: { readonly state: State }) {
  return (
    <span class="state" data-state={state}>
      <StateSign state={state} />
      {state}
    </span>
  )
}
