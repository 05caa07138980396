import { append } from '../../base/append.js'
import { align, gapsOf, wholeOf, type Match, type Stretch } from '../align/index.js'
import type { Keys, Unit } from './unit.js'

/** The units at one place of two plans. At least one is present. */
export interface Pair {
  readonly base: Unit | undefined
  readonly other: Unit | undefined
}

/** Units are aligned by the strictest key first, then the rest by weaker keys. */
const RESPECTS = ['same', 'actions', 'shape', 'name', 'kind'] as const satisfies readonly (keyof Keys)[]

/** Aligns the direct children of two units. */
export function alignUnits(base: readonly Unit[], other: readonly Unit[]): Pair[] {
  const whole = wholeOf(base, other)
  let matches: Match[] = []
  for (const respect of RESPECTS) {
    const a = base.map(({ keys }) => keys[respect])
    const b = other.map(({ keys }) => keys[respect])
    const more: Match[] = []
    for (const [index, gap] of gapsOf(matches, whole).entries()) {
      if (!isOneSided(gap)) append(more, align(a, b, gap))
      const match = matches[index]
      if (match) more.push(match)
    }
    matches = more
  }
  return gapsOf(matches, whole).flatMap((gap, index): Pair[] => {
    const [i = -1, j = -1] = matches[index] ?? []
    const pair = { base: base[i], other: other[j] }
    return [
      ...base.slice(...gap.a).map((unit): Pair => ({ base: unit, other: undefined })),
      ...other.slice(...gap.b).map((unit): Pair => ({ base: undefined, other: unit })),
      ...(pair.base || pair.other ? [pair] : []),
    ]
  })
}

const isOneSided = ({ a, b }: Stretch): boolean => a[0] === a[1] || b[0] === b[1]
