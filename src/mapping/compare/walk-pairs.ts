import { alignUnits, type Pair } from './align-units.js'
import type { Difference, PairComparison, RowKind } from './comparison.js'
import { beginOtherwise, differencesOf } from './differences.js'
import { answeredOtherwise } from './other-result.js'
import type { Unit } from './unit.js'
import { labelOf, type Path } from './words.js'

/** A unit in both plans. */
export interface Both {
  readonly base: Unit
  readonly other: Unit
}

/** A row before it is written. */
export interface Found {
  readonly kind: RowKind
  readonly depth: number
  readonly path: Path
  readonly differences: Difference[]
  /** The aligned units. Several if they are the same. */
  readonly pairs: readonly Pair[]
}

/** Where two plans diverge: a pair that differs, or a unit that only one of them has. */
export interface Parting {
  readonly path: Path
  readonly differences: Difference[]
  readonly pair: Pair
  /** What the plan without the unit did next in that place. */
  readonly next: Unit | undefined
}

/** The plans themselves. Paths below them do not name them. */
const PLAN: Path = { above: undefined, label: 'plan' }

/** Walks through two plans side by side, in the order of events. */
export class PairWalk {
  readonly rows: Found[] = []
  readonly counts: { -readonly [Kind in keyof PairComparison['counts']]: number } = {
    same: 0,
    changed: 0,
    base: 0,
    other: 0,
  }
  parting: Parting | undefined
  /** The first tool call with different results, unless the plans diverge before it. */
  otherResult: { readonly path: Path; readonly both: Both } | undefined
  /** The pending tasks, the last first. A stack instead of recursion, because plans can nest deeply. */
  readonly #tasks: (() => void)[] = []

  constructor(base: Unit, other: Unit) {
    this.#plan([{ base, other }], 0, undefined)
    for (let task = this.#tasks.pop(); task; task = this.#tasks.pop()) task()
  }

  /** Schedules adjacent pairs, from the last to the first. */
  #plan(pairs: readonly Pair[], depth: number, above: Path | undefined): void {
    const next: { base: Unit | undefined; other: Unit | undefined } = { base: undefined, other: undefined }
    let run: Both[] = []
    const endRun = (): void => {
      const both = run.reverse()
      if (both.length > 0) this.#tasks.push(() => this.#showSame(both, depth, above))
      run = []
    }
    for (const pair of pairs.toReversed()) {
      const { base, other } = pair
      if (base && other && base.keys.same === other.keys.same) run.push({ base, other })
      else {
        endRun()
        const behind = base ? next.other : next.base
        this.#tasks.push(
          base && other
            ? () => this.#enter({ base, other }, depth, above)
            : () => this.#showAlone(pair, { depth, above, next: behind }),
        )
      }
      next.base = base ?? next.base
      next.other = other ?? next.other
    }
    endRun()
  }

  #enter(both: Both, depth: number, above: Path | undefined): void {
    const { base, other } = both
    const path = depth === 0 ? PLAN : { above, label: labelOf(base) }
    const differences = differencesOf(base, other)
    const isSame = differences.length === 0
    this.rows.push({ kind: isSame ? 'within' : 'changed', depth, path, differences, pairs: [both] })
    this.counts[isSame ? 'same' : 'changed']++
    if (!isSame) {
      const part = (): void => this.#part({ path, differences, pair: both, next: undefined })
      // Other differences become known only after everything below the pair.
      if (beginOtherwise(differences)) part()
      else this.#tasks.push(part)
    }
    this.#plan(alignUnits(base.children, other.children), depth + 1, path === PLAN ? undefined : path)
  }

  #showSame(pairs: readonly Both[], depth: number, above: Path | undefined): void {
    const labels = [pairs[0], ...(pairs.length > 1 ? [pairs.at(-1)] : [])]
      .flatMap((both) => both?.base ?? [])
      .map(labelOf)
    const path = depth === 0 ? PLAN : { above, label: labels.join(' to ') }
    this.rows.push({ kind: 'same', depth, path, differences: [], pairs })
    for (const { base } of pairs) this.counts.same += base.figures.units
    if (!this.parting) this.otherResult ??= answeredOtherwise(pairs, above)
  }

  #showAlone(
    pair: Pair,
    { depth, above, next }: { depth: number; above: Path | undefined; next: Unit | undefined },
  ): void {
    const unit = (pair.base ?? pair.other) as Unit
    const kind = pair.base ? 'base' : 'other'
    const path = { above, label: labelOf(unit) }
    this.rows.push({ kind, depth, path, differences: [], pairs: [pair] })
    this.counts[kind] += unit.figures.units
    this.#part({ path, differences: [], pair, next })
  }

  #part(found: Parting): void {
    this.parting ??= found
  }
}
