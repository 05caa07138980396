import { resultOf } from './describe-unit.js'
import type { Both } from './walk-pairs.js'
import { labelOf, type Path } from './words.js'

/** Returns the first tool call with different results among pairs that did the same, with the path to it. */
export function answeredOtherwise(
  pairs: readonly Both[],
  above: Path | undefined,
): { readonly path: Path; readonly both: Both } | undefined {
  let both = firstOther(pairs)
  let path = above
  while (both) {
    path = { above: path, label: labelOf(both.base) }
    const { base, other } = both
    const below = firstOther(
      base.children.map((child, index) => ({ base: child, other: other.children[index] ?? child })),
    )
    if (!below) return { path, both }
    both = below
  }
  return undefined
}

const firstOther = (pairs: readonly Both[]): Both | undefined =>
  pairs.find(({ base, other }) => base.keys.results !== other.keys.results)

/** Returns the results of a tool call in both plans. */
export const resultsOf = ({ base, other }: Both): [string | undefined, string | undefined] => [
  base.node && resultOf(base.node),
  other.node && resultOf(other.node),
]
