import { outage, tryNow } from '../data/connection.js'
import { durationText } from '../model/quantity.js'
import { now } from './now.js'
import { clockTime } from './zone.js'

/** Reports an outage of the server, its duration, and the next attempt. */
export function OutageBanner() {
  const known = outage.value
  if (!known) return null
  const seconds = Math.max(0, Math.ceil((known.retryAt - now.value) / 1000))
  return (
    <div class="outage">
      <p role="alert">
        <strong>
          No connection to {location.host} since {clockTime(known.since)}.
        </strong>{' '}
        {known.reason ?? 'Is planspan serve still running there?'}
      </p>
      <p class="number">{seconds > 0 ? `Trying again in ${durationText(seconds * 1000)}` : 'Trying again …'}</p>
      <button type="button" class="button" onClick={tryNow}>
        Try now
      </button>
    </div>
  )
}
