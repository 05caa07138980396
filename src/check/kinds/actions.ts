import { z } from 'zod'

import { absent, defineKind, type Found, unknownArguments } from '../kind.js'
import { matchesName, names, nameText } from '../patterns.js'
import { precedes } from '../plan-actions.js'
import { action, actionKeys, describeAction, namesAction, selectActions } from '../select-actions.js'

/** `forbid`: an action must not occur, at all or after another one. */
export const forbid = defineKind({
  schema: z
    .union([
      names,
      z
        .strictObject({
          ...actionKeys,
          after: action.exactOptional().describe('Only after this action has completed.'),
        })
        .refine(...namesAction),
    ])
    .describe('The action does not occur.'),
  *check(rule, plan) {
    const { after, ...sought } =
      typeof rule === 'string' || Array.isArray(rule) ? { tool: rule, after: undefined } : rule
    const found = selectActions(plan, sought)
    const past = after === undefined ? [] : selectActions(plan, after).actions
    const [ended] = past.filter(({ state }) => state === 'completed').toSorted((a, b) => (a.end < b.end ? -1 : 1))
    const applies = (each: (typeof found.actions)[number]): boolean =>
      after === undefined || (ended !== undefined && precedes(ended, each))
    const when = after === undefined ? '' : ` after ${describeAction(after)}`
    for (const each of found.actions.filter(applies)) {
      yield { text: `${describeAction({ ...sought, [each.kind]: each.name })} is forbidden${when}`, node: each.node }
    }
    yield* found.unknown.filter(applies).map(({ name, node }): Found => unknownArguments(name, node))
  },
})

const count = z.number().int().min(0)

/** `require`: an action must occur, a number of times. */
export const require = defineKind({
  schema: z
    .union([
      names,
      z
        .strictObject({
          ...actionKeys,
          atLeast: count.exactOptional().describe('How often it must complete. @default 1, or 0 with `atMost`'),
          atMost: count.exactOptional().describe('How often it may occur.'),
        })
        .refine(...namesAction),
    ])
    .describe('The action completes at least once, or as often as the limits permit.'),
  *check(rule, plan) {
    const given = typeof rule === 'string' || Array.isArray(rule) ? { tool: rule } : rule
    const { atLeast, atMost, ...sought }: typeof given & { atLeast?: number; atMost?: number } = given
    const least = atLeast ?? (atMost === undefined ? 1 : 0)
    const { actions, unknown } = selectActions(plan, sought)
    const done = sought.state === undefined ? actions.filter(({ state }) => state === 'completed') : actions
    const what = describeAction(sought)
    if (done.length < least) {
      const maybe = done.length + unknown.length >= least && unknown[0]
      const times = least === 1 ? '' : ` (${String(done.length)} of ${String(least)} times)`
      yield maybe ? unknownArguments(maybe.name, maybe.node) : absent(plan, `${what} did not complete${times}`)
    }
    const excess = atMost === undefined ? undefined : actions[atMost]
    if (excess)
      yield { text: `${what} occurred ${times(actions.length)}, at most ${String(atMost)} allowed`, node: excess.node }
  },
})

const times = (number: number): string => (number === 1 ? 'once' : `${String(number)} times`)

/** `allow`: no tools but the listed ones. */
export const allow = defineKind({
  schema: z
    .union([
      names,
      z.strictObject({
        tool: names.describe('The tools that may be called.'),
        agent: names.exactOptional().describe('Only calls by these agents are limited.'),
      }),
    ])
    .describe('No other tools are called.'),
  *check(rule, { actions }) {
    const { tool, agent = '*' } = typeof rule === 'string' || Array.isArray(rule) ? { tool: rule } : rule
    for (const { name, by, node } of actions.tool) {
      if (matchesName(tool, name) || !matchesName(agent, by)) continue
      yield { text: `${name} is not one of the allowed tools: ${nameText(tool)}`, node }
    }
  },
})
