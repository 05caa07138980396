import { z } from 'zod'

import { valuesAt } from '../conditions.js'
import { absent, defineKind, type Found, unknownArguments } from '../kind.js'
import { type Action, precedes } from '../plan-actions.js'
import { action, describeAction, selectActions } from '../select-actions.js'

const same = z
  .array(z.string())
  .min(1)
  .exactOptional()
  .describe('The arguments, by name or dotted path, that both actions must share.')

/** `order`: an action requires an earlier one. */
export const order = defineKind({
  schema: z
    .strictObject({
      action: action.describe('The action that requires an earlier one.'),
      after: action.describe('The action that must complete first.'),
      same,
    })
    .describe('Each `action` comes after a completed `after`.'),
  *check({ action: trailing, after, same: shared = [] }, plan) {
    const later = selectActions(plan, trailing)
    if (later.actions.length === 0 && later.unknown.length === 0) return
    const earlier = selectActions(plan, after)
    const completed = new Partners(earlier.actions.filter(isCompleted), shared)
    for (const each of later.actions) {
      if (completed.has(each, (partner) => precedes(partner, each))) continue
      if (earlier.unknown.some((partner) => isCompleted(partner) && precedes(partner, each))) {
        yield unknownArguments(describeAction(after), each.node)
        continue
      }
      const what = `${each.name} without an earlier completed ${describeAction(after)}`
      yield { text: what + sharedText(shared), node: each.node }
    }
    yield* later.unknown.map(({ name, node }): Found => unknownArguments(name, node))
  },
})

/** `follow`: an action requires a later one. */
export const follow = defineKind({
  schema: z
    .strictObject({
      action: action.describe('The action that must be followed.'),
      by: action.describe('The action that must complete later.'),
      same,
    })
    .describe('Each completed `action` is followed by a completed `by`.'),
  *check({ action: leading, by, same: shared = [] }, plan) {
    const earlier = selectActions(plan, leading)
    const later = selectActions(plan, by)
    const completed = new Partners(later.actions.filter(isCompleted), shared)
    for (const each of earlier.actions.filter(isCompleted)) {
      if (completed.has(each, (partner) => precedes(each, partner))) continue
      if (later.unknown.some((partner) => precedes(each, partner))) {
        yield unknownArguments(describeAction(by), each.node)
        continue
      }
      yield absent(plan, `${each.name} without a later completed ${describeAction(by)}${sharedText(shared)}`, each.node)
    }
    yield* earlier.unknown.map(({ name, node }): Found => unknownArguments(name, node))
  },
})

const isCompleted = ({ state }: Action): boolean => state === 'completed'

const sharedText = (shared: readonly string[]): string =>
  shared.length === 0 ? '' : ` of the same ${shared.join(', ')}`

/** The actions that others may need, by the arguments that both share. */
class Partners {
  readonly #shared: readonly string[]
  /** For each key, the actions that can be the earliest or the latest: no others need to be compared. */
  readonly #extremes = new Map<string, Action[]>()

  constructor(actions: readonly Action[], shared: readonly string[]) {
    this.#shared = shared
    for (const each of actions) {
      const key = this.#keyOf(each)
      const [first = each, last = each, soonest = each] = this.#extremes.get(key) ?? []
      const sooner = each.end < soonest.end ? each : soonest
      this.#extremes.set(key, [first, each.start >= last.start || each.isUntimed ? each : last, sooner])
    }
  }

  has(each: Action, fits: (partner: Action) => boolean): boolean {
    return (this.#extremes.get(this.#keyOf(each)) ?? []).some(fits)
  }

  #keyOf(each: Action): string {
    return this.#shared.map((path) => JSON.stringify(valuesAt(each.data()?.value, path))).join()
  }
}
