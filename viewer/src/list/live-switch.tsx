import { computed } from '@preact/signals'

import { outage, tryNow } from '../data/connection.js'
import { storedChoice } from '../parts/stored-choice.js'

const live = storedChoice('live', ['on', 'off'])

/** Whether lists and plans are updated live while the server responds. */
export const isLive = computed(() => live.value === 'on')

/** Switches live updates; during an outage it is off, and a click connects again. */
export function LiveSwitch() {
  const isDown = isLive.value && outage.value !== undefined
  const isOn = isLive.value && !isDown
  const title = isDown ? 'No connection: try again' : isOn ? 'The list is updated live' : 'The list is not updated'
  return (
    <button
      type="button"
      class="live-switch"
      role="switch"
      aria-checked={isOn}
      title={title}
      onClick={() => {
        if (isDown) tryNow()
        else live.value = isOn ? 'off' : 'on'
      }}
    >
      <span class="live-dot" />
      Live
    </button>
  )
}
