import { pagePath, type PlanName } from 'planspan/client'

import { planLetter, type Pair } from '../model/compared.js'
import { wholeCount } from '../model/quantity.js'
import type { CompareStore } from './compare-store.js'
import { linkTo } from '../url/base.js'

/** The counts of equal and different units, the first divergence, and the first tool result that differed before it. */
export function Divergence({ store }: { readonly store: CompareStore }) {
  const { pair, other, names } = store
  const known = pair.value
  if (!known) return null
  const { counts, isSame, firstDivergence, earlierResult } = known
  const letters = [planLetter(0), planLetter(other.value)] as const
  const sides = [names[0], names[other.value]] as const
  return (
    <section class="divergence" aria-label="Differences">
      {isSame ? (
        <p>
          <strong>Both plans are the same</strong> in all {wholeCount(counts.same)} steps, cycles and calls.
        </p>
      ) : (
        <p class="counts">
          <strong>{wholeCount(counts.same)} the same</strong>
          <span class={counts.changed > 0 ? 'is-changed' : 'muted'}>{wholeCount(counts.changed)} changed</span>
          <span class={counts.base > 0 ? 'is-alone' : 'muted'}>
            {wholeCount(counts.base)} only in {letters[0]}
          </span>
          <span class={counts.other > 0 ? 'is-alone' : 'muted'}>
            {wholeCount(counts.other)} only in {letters[1]}
          </span>
          <button
            type="button"
            class="button"
            title="Next difference (n), previous difference (N)"
            onClick={() => void store.toDifference(1)}
          >
            Next difference
          </button>
        </p>
      )}
      {earlierResult && (
        <Places
          title={isSame ? 'One result differs' : 'First different result before'}
          places={earlierResult}
          letters={letters}
          sides={sides}
        />
      )}
      {firstDivergence && <Places title="First divergence" places={firstDivergence} letters={letters} sides={sides} />}
    </section>
  )
}

interface PlacesProps {
  readonly title: string
  readonly places: NonNullable<Pair['earlierResult']>
  readonly letters: readonly [string, string]
  readonly sides: readonly [PlanName | undefined, PlanName | undefined]
}

function Places({ title, places: { path, base, other, baseSpanId, otherSpanId }, letters, sides }: PlacesProps) {
  return (
    <dl class="places">
      <div>
        <dt>{title}</dt>
        <dd title={path}>{path}</dd>
      </div>
      {(
        [
          [letters[0], base, sides[0], baseSpanId],
          [letters[1], other, sides[1], otherSpanId],
        ] as const
      ).map(([letter, did, name, span]) => (
        <div key={letter}>
          <dt>
            <span class="letter">{letter}</span>
          </dt>
          <dd title={did}>{name && span ? <a href={linkTo(pagePath(name, { span }))}>{did}</a> : did}</dd>
        </div>
      ))}
    </dl>
  )
}
