import type { VerdictJson } from 'planspan/client'
import { useEffect } from 'preact/hooks'

import { client } from '../data/client.js'
import { wholeCount } from '../model/quantity.js'
import { Menu } from '../parts/menu.js'
import type { PlanStore } from './plan-store.js'

/** How true a plan's record is, where it is not complete: what is missing, and where. */
export function VerdictMark({ store }: { readonly store: PlanStore }) {
  const { verdict, isWhole, isMoving, planId, place } = store
  const isAsked = isWhole.value && !isMoving.value
  // The whole record is rebuilt for it: asked once the spans are shown, and not of a plan that goes on.
  useEffect(() => {
    if (!isAsked) return
    const leaving = new AbortController()
    void client.verdict(planId, place, { signal: leaving.signal }).then(
      (told) => {
        verdict.value = told
      },
      // What the spans tell is there without it.
      () => undefined,
    )
    return () => leaving.abort()
  }, [store, isAsked])
  const told = verdict.value
  if (!told || told.verdict === 'complete') return null
  return (
    <Menu label={<span class="verdict">{labelOf(told)}</span>}>
      {told.verdict === 'partial' ? (
        <ul class="gaps">
          {told.missing.map(({ spanId, what }, index) => (
            <li key={index}>
              <button type="button" onClick={() => store.reveal(spanId)}>
                {what}
              </button>
            </li>
          ))}
          {told.missingCount > told.missing.length && (
            <li class="muted">{wholeCount(told.missingCount - told.missing.length)} more</li>
          )}
        </ul>
      ) : (
        <p class="gaps muted">{WORDS[told.verdict]}</p>
      )}
    </Menu>
  )
}

const WORDS: Readonly<Record<Exclude<VerdictJson['verdict'], 'complete' | 'partial'>, string>> = {
  redacted: 'Values were left out or masked on purpose.',
  altered: 'The record is not what was imported, byte for byte.',
}

const labelOf = ({ verdict, missingCount }: VerdictJson): string =>
  verdict === 'partial' ? `partial, ${wholeCount(missingCount)} missing` : verdict
