import type { Difference } from './comparison.js'
import { plainDetail } from './plain-detail.js'
import type { Unit } from './unit.js'

/** In what two units differ that stand at one place. */
export function differencesOf({ action: a, outcome: x }: Unit, { action: b, outcome: y }: Unit): Difference[] {
  const differs: Readonly<Record<Difference, boolean>> = {
    action: a.name !== b.name,
    detail: plainDetail(a) !== plainDetail(b),
    state: x.state !== y.state,
    error: x.error !== y.error,
    verdict: x.isSafe !== y.isSafe,
    taken: x.isTaken !== y.isTaken,
    answer: x.answer !== y.answer,
  }
  return (Object.keys(differs) as Difference[]).filter((difference) => differs[difference])
}

/** Whether two units already began in different ways; others come to different ends after all that is below them. */
export const beginOtherwise = (differences: readonly Difference[]): boolean =>
  differences.includes('action') || differences.includes('detail')
