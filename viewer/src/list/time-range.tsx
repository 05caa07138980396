import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { zone } from '../parts/zone.js'
import { here, setParameters } from '../url/location.js'
import { RANGES } from './filters.js'

const isOwnOpen = signal(false)

/** Selects the time range in which plans started. */
export function TimeRange() {
  const { searchParams } = here.value
  const since = searchParams.get('since') ?? ''
  const until = searchParams.get('until') ?? ''
  const isOwn = until !== '' || (since !== '' && !RANGES.some(([word]) => word === since))
  useEffect(() => {
    if (isOwn) isOwnOpen.value = true
  }, [isOwn])
  const choose = (word: string): void => {
    isOwnOpen.value = word === 'own'
    if (word !== 'own') setParameters({ since: word, until: undefined })
  }
  return (
    <span class="time-range">
      <select
        class="button"
        aria-label="Start time of the plans"
        value={isOwn || isOwnOpen.value ? 'own' : since}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {RANGES.map(([word, title]) => (
          <option key={word} value={word}>
            {title}
          </option>
        ))}
        <option value="">All times</option>
        <option value="own">From … to …</option>
      </select>
      {isOwnOpen.value && (
        <>
          <TimeField label="From" name="since" value={since} />
          <TimeField label="To" name="until" value={until} />
        </>
      )}
    </span>
  )
}

interface TimeFieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
}

function TimeField({ label, name, value }: TimeFieldProps) {
  return (
    <input
      type="datetime-local"
      class="button"
      aria-label={label}
      value={fieldText(value)}
      onChange={({ currentTarget }) => setParameters({ [name]: isoOf(currentTarget.value) })}
    />
  )
}

/** Formats a time for the input field, in the selected time zone. */
function fieldText(iso: string): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return ''
  const shift = zone.value === 'utc' ? 0 : new Date(time).getTimezoneOffset() * 60_000
  return new Date(time - shift).toISOString().slice(0, 16)
}

const isoOf = (field: string): string | undefined =>
  field === '' ? undefined : new Date(zone.value === 'utc' ? `${field}Z` : field).toISOString()
