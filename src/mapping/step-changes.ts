import { align, gapsOf, wholeOf } from './compare/align.js'
import { Interner } from './compare/interner.js'
import type { PlanStep } from './plan-steps.js'

/** What a version of a plan did with a step of the one before. */
export interface StepChange {
  readonly kind: 'added' | 'dropped' | 'changed' | 'moved'
  /** Its place in the version, from 0; of a dropped step the one that it had. */
  readonly index: number
  readonly title: string
  /** What a changed step said before. */
  readonly was?: string
}

/** What changed between two lists of steps, in the order of the later one. */
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

/** Of stretches without anything alike: a step was changed that stands for one of the same id, or of as many others. */
function changesOf(
  before: readonly PlanStep[],
  after: readonly PlanStep[],
  [a0, b0]: readonly [number, number],
): StepChange[] {
  const isRewritten = before.length === after.length
  const left = new Set(before)
  const changes = after.map(({ id, title }, at): StepChange => {
    const sameId = id === undefined ? undefined : before.find((step) => step.id === id)
    const old = sameId ?? (isRewritten ? before[at] : undefined)
    if (!old || !left.has(old)) return { kind: 'added', index: b0 + at, title }
    left.delete(old)
    return { kind: 'changed', index: b0 + at, title, was: old.title }
  })
  const dropped = before.flatMap(({ title }, at): StepChange[] =>
    left.has(before[at] as PlanStep) ? [{ kind: 'dropped', index: a0 + at, title }] : [],
  )
  return [...dropped, ...changes]
}

/** A step that was dropped in one place and added in another is still there. */
function withMoves(changes: readonly StepChange[]): StepChange[] {
  const dropped = new Map(changes.filter(({ kind }) => kind === 'dropped').map((change) => [change.title, change]))
  const moved = new Set<StepChange>()
  const told = changes.map((change): StepChange => {
    const from = change.kind === 'added' ? dropped.get(change.title) : undefined
    if (!from || moved.has(from)) return change
    moved.add(from)
    return { ...change, kind: 'moved' }
  })
  return told.filter((change) => !moved.has(change))
}
