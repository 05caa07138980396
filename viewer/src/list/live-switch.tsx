import { storedChoice } from '../parts/stored-choice.js'
import { computed } from '@preact/signals'

const live = storedChoice('live', ['on', 'off'])

/** Whether lists and plans are updated live. */
export const isLive = computed(() => live.value === 'on')

export function LiveSwitch() {
  return (
    <button
      type="button"
      class="live-switch"
      role="switch"
      aria-checked={isLive.value}
      title={isLive.value ? 'The list is updated live' : 'The list is not updated'}
      onClick={() => (live.value = isLive.value ? 'off' : 'on')}
    >
      <span class="live-dot" />
      Live
    </button>
  )
}
