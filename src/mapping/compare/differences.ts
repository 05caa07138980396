import type { Difference } from './comparison.js'
import type { Unit, Action } from './unit.js'
import { itemsOf, tryParseJson, compactJson } from '../json/index.js'

/** Returns the aspects in which two units in the same place differ. */
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

/** Whether two units differ from their start. Other differences appear only after everything below them. */
export const beginOtherwise = (differences: readonly Difference[]): boolean =>
  differences.includes('action') || differences.includes('detail')

/** Returns the detail of an action with equal arguments written alike: JSON without white space, keys sorted. */
export function plainDetail({ detail }: Action): string | undefined {
  return detail === undefined ? undefined : plainText(detail)
}

function plainText(text: string): string {
  const root = /^\s*[[{]/.test(text) ? tryParseJson(text) : undefined
  if (!root) return text.trim()
  const pending = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind === 'object') {
      node.members.sort((one, other) => (one.key.value < other.key.value ? -1 : 1))
      for (const { value } of node.members) pending.push(value)
    } else for (const item of itemsOf(node)) pending.push(item)
  }
  return compactJson(root)
}
