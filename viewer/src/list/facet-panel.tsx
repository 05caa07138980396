import { signal } from '@preact/signals'

import { countText } from '../model/quantity.js'
import { STATES } from '../model/words.js'
import { Icon } from '../parts/icon.js'
import { StateSign } from '../parts/state-mark.js'
import { here, setParameters } from '../url/location.js'
import { activeFilters, FACETS, toggled } from './filters.js'
import { facets } from './list-store.js'

const FEW = 6

/** The facets that show all their values. */
const unfolded = signal<ReadonlySet<string>>(new Set())

/** The facets of the plans, with counts; a click on a value filters by it. */
export function FacetPanel() {
  const counts = facets.value
  return (
    <aside class="facets" aria-label="Filters">
      <ActiveFilters />
      {FACETS.map(([facet, title, filter]) => {
        const values = counts?.facets[facet] ?? []
        return values.length > 0 && <FacetValues key={facet} title={title} filter={filter} values={values} />
      })}
    </aside>
  )
}

/** The values of facets that are no names. */
const VALUES: Readonly<Record<string, (value: string) => string>> = {
  unsafeTaken: () => 'actions taken although unsafe',
  minRisk: (value) => `${value} or more`,
  minCostUsd: (value) => `$${value} or more`,
}

interface FacetValuesProps {
  readonly title: string
  readonly filter: string
  readonly values: readonly { readonly value: string; readonly plans: number }[]
}

function FacetValues({ title, filter, values }: FacetValuesProps) {
  const current = here.value.searchParams.get(filter)
  const chosen = new Set(current?.split(filter === 'state' ? ',' : '\0') ?? [])
  const isUnfolded = unfolded.value.has(filter)
  const shown = isUnfolded ? values : values.slice(0, FEW)
  const most = Math.max(...values.map(({ plans }) => plans))
  return (
    <section class="facet">
      <h2>{title}</h2>
      <ul>
        {shown.map(({ value, plans }) => (
          <li key={value}>
            <button
              type="button"
              aria-pressed={chosen.has(value)}
              onClick={() => setParameters({ [filter]: toggled(filter, current, value) })}
            >
              <span class="share" style={{ width: `${(plans / most) * 100}%` }} aria-hidden="true" />
              {filter === 'state' && <StateOf word={value} />}
              <span class="value" title={value}>
                {VALUES[filter]?.(value) ?? (value === '' ? 'none' : value)}
              </span>
              <span class="number muted">{countText(plans)}</span>
            </button>
          </li>
        ))}
      </ul>
      {values.length > FEW && (
        <button
          type="button"
          class="more"
          aria-expanded={isUnfolded}
          onClick={() => {
            const next = new Set(unfolded.peek())
            if (!next.delete(filter)) next.add(filter)
            unfolded.value = next
          }}
        >
          {isUnfolded ? 'Fewer' : `${values.length - FEW} more`}
        </button>
      )}
    </section>
  )
}

function StateOf({ word }: { readonly word: string }) {
  const state = STATES.find((one) => one === word)
  return state ? <StateSign state={state} /> : null
}

/** The active filters, each with a button that removes it. */
export function ActiveFilters() {
  const { searchParams } = here.value
  const active = activeFilters(searchParams).filter(({ name }) => name !== 'since')
  if (active.length === 0) return null
  return (
    <ul class="active-filters" aria-label="Active filters">
      {active.map(({ name, title, value }) => (
        <li key={`${name} ${value}`}>
          <button
            type="button"
            aria-label={`Remove the filter ${title} ${value}`}
            onClick={() => setParameters({ [name]: toggled(name, searchParams.get(name), value) })}
          >
            <span class="muted">{title}</span> <span class="value">{value}</span>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}
