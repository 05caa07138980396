import { itemsOf } from '../json/node.js'
import { tryParseJson } from '../json/parse.js'
import { compactJson } from '../json/write.js'
import type { Action } from './unit.js'

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
