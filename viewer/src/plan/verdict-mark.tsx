import type { VerdictJson } from 'planspan/client'
import { useEffect } from 'preact/hooks'

import { client } from '../data/client.js'
import { wholeCount } from '../model/quantity.js'
import { Menu } from '../parts/menu.js'
import type { PlanStore } from './plan-store.js'

/** The verdict on a plan's record, if it is not complete: what is missing, and where. */
export function VerdictMark({ store }: { readonly store: PlanStore }) {
  const { verdict, loadedVerdict, isWhole, isMovingOrUnknown, planId, place } = store
  const isAsked = isWhole.value && !isMovingOrUnknown.value
  // Requires rebuilding the whole record, so it is requested after the spans are shown, and not for a running plan.
  useEffect(() => {
    if (!isAsked) return
    const leaving = new AbortController()
    void client.verdict(planId, place, { signal: leaving.signal }).then(
      (loaded) => {
        loadedVerdict.value = loaded
      },
      // The spans are shown without it.
      () => undefined,
    )
    return () => leaving.abort()
  }, [store, isAsked])
  const known = verdict.value
  if (!known || known.verdict === 'complete') return null
  return (
    <Menu label={<span class="verdict">{labelOf(known)}</span>}>
      {known.verdict === 'partial' ? (
        <ul class="gaps">
          {known.missing.map(({ spanId, what }, index) => (
            <li key={index}>
              <button type="button" onClick={() => store.reveal(spanId)}>
                {what}
              </button>
            </li>
          ))}
          {known.missingCount > known.missing.length && (
            <li class="muted">{wholeCount(known.missingCount - known.missing.length)} more</li>
          )}
        </ul>
      ) : (
        <p class="gaps muted">{WORDS[known.verdict]}</p>
      )}
    </Menu>
  )
}

const WORDS: Readonly<Record<Exclude<VerdictJson['verdict'], 'complete' | 'partial'>, string>> = {
  redacted: 'Values were omitted or masked by redaction.',
  altered: 'The record differs from the imported bytes.',
}

const labelOf = ({ verdict, missingCount }: VerdictJson): string =>
  verdict === 'partial' ? `partial, ${wholeCount(missingCount)} missing` : verdict
