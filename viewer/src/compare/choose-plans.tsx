import type { PlanName } from 'planspan/client'

import { go } from '../url/location.js'
import { comparePath } from './compare-path.js'
import { linkTo } from '../url/base.js'

interface ChoosePlansProps {
  readonly names: readonly PlanName[]
  readonly title: string
  readonly reason: string
}

/** Explains why there is no comparison, and asks for the plans' ids. */
export function ChoosePlans({ names, title, reason }: ChoosePlansProps) {
  const compare = (form: HTMLFormElement): void => {
    const ids = [...new FormData(form).getAll('id')].map((id) => String(id).trim())
    const chosen = ids.map((planId, index) => {
      const before = names[index]
      return before?.planId === planId ? before : { planId }
    })
    go(comparePath(chosen))
  }
  return (
    <section class="nothing" role="alert">
      <h1>{title}</h1>
      <p>{reason}</p>
      <form
        class="choose-plans"
        onSubmit={(event) => {
          event.preventDefault()
          compare(event.currentTarget)
        }}
      >
        {[0, 1].map((index) => (
          <label key={index}>
            <span class="muted">{index === 0 ? 'First plan' : 'Second plan'}</span>
            <input name="id" class="field mono" required defaultValue={names[index]?.planId ?? ''} />
          </label>
        ))}
        <button class="button">Compare</button>
        <a class="button" href={linkTo('/plans')}>
          Back to the list
        </a>
      </form>
    </section>
  )
}
