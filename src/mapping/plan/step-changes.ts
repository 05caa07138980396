import { align, gapsOf, wholeOf, Interner } from '../align/index.js'
import type { PlanStep } from './plan-steps.js'

/** A change of a step from one version of a plan to the next. */
export interface StepChange {
  readonly kind: 'added' | 'dropped' | 'changed' | 'moved'
  /** The position in the new version, from 0. For a dropped step, its position in the old version. */
  readonly index: number
  /** The position in the old version. Undefined for an added step. */
  readonly from: number | undefined
  readonly title: string
  /** The previous title of a changed step. */
  readonly was?: string
}

/** Compares two lists of steps. The changes are in the order of the later list. */
export function stepChanges(before: readonly PlanStep[], after: readonly PlanStep[]): StepChange[] {
  const interner = new Interner()
  const titles = (steps: readonly PlanStep[]): number[] => steps.map(({ title }) => interner.numberOf(title))
  const [a, b] = [titles(before), titles(after)]
  const whole = wholeOf(a, b)
  const gaps = gapsOf(align(a, b, whole), whole)
  const changes = gaps.flatMap(({ a: [a0, a1], b: [b0, b1] }) =>
    changesOf(before.slice(a0, a1), after.slice(b0, b1), [a0, b0]),
  )
  return withMoves(changes)
}

/** Returns for each step of a version its position in the next version. Undefined for a dropped step. */
export function nextPlaces(before: readonly PlanStep[], after: readonly PlanStep[]): (number | undefined)[] {
  const changes = stepChanges(before, after)
  const changed = new Map(changes.map(({ kind, from, index }) => [from, kind === 'dropped' ? undefined : index]))
  const taken = new Set(changes.flatMap(({ kind, index }) => (kind === 'dropped' ? [] : [index])))
  const kept = after.flatMap((_, index) => (taken.has(index) ? [] : [index])).values()
  return before.map((_, from) => (changed.has(from) ? changed.get(from) : kept.next().value))
}

/**
 * Compares stretches that have no step in common. A step counts as changed if it has the id of an old step or a similar
 * title.
 */
function changesOf(
  before: readonly PlanStep[],
  after: readonly PlanStep[],
  [a0, b0]: readonly [number, number],
): StepChange[] {
  const left = new Map(before.map((step, at) => [step, a0 + at]))
  const mayPair = before.length * after.length <= MOST_PAIRS
  const changes = after.map((step, at): StepChange => {
    const { id, title } = step
    const old =
      (id === undefined ? undefined : [...left.keys()].find((one) => one.id === id)) ??
      (mayPair ? [...left.keys()].find((one) => likeness(one.title, title) >= ALIKE) : undefined)
    if (!old) return { kind: 'added', index: b0 + at, from: undefined, title }
    const from = left.get(old)
    left.delete(old)
    return { kind: 'changed', index: b0 + at, from, title, was: old.title }
  })
  const dropped = [...left].map(([{ title }, at]): StepChange => ({ kind: 'dropped', index: at, from: at, title }))
  return [...dropped, ...changes]
}

const MOST_PAIRS = 10_000
const ALIKE = 0.5

/**
 * Returns the similarity of two texts, from 0 to 1. It compares pairs of characters, because not all languages separate
 * words.
 */
function likeness(a: string, b: string): number {
  const [inA, inB] = [pairsOf(a), pairsOf(b)]
  const shared = [...inA].filter((pair) => inB.has(pair)).length
  return (2 * shared) / Math.max(1, inA.size + inB.size)
}

function pairsOf(text: string): Set<string> {
  const characters = [...text.toLowerCase()]
  return new Set(characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`))
}

/** Replaces a step that was dropped in one place and added in another by one move. */
function withMoves(changes: readonly StepChange[]): StepChange[] {
  const dropped = new Map(changes.filter(({ kind }) => kind === 'dropped').map((change) => [change.title, change]))
  const moved = new Set<StepChange>()
  const joined = changes.map((change): StepChange => {
    const from = change.kind === 'added' ? dropped.get(change.title) : undefined
    if (!from || moved.has(from)) return change
    moved.add(from)
    return { ...change, kind: 'moved', from: from.index }
  })
  return joined.filter((change) => !moved.has(change))
}
