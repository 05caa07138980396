import type { Difference } from './comparison.js'
import type { Unit, Action } from './unit.js'
import { itemsOf, tryParseJson, compactJson } from '../json/index.js'

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

/** The detail of an action, equal arguments in one writing: JSON without white space and with its keys in order. */
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
