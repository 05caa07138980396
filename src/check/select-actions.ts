import { z } from 'zod'

import { STATES } from '../semconv/index.js'
import { condition, fulfills, valuesAt } from './conditions.js'
import { matchesName, names, nameText } from './patterns.js'
import type { Action, ActionKind } from './plan-actions.js'
import type { CheckedPlan } from './checked-plan.js'

const state = z.enum(STATES)

/** The keys that select actions. */
export const actionKeys = {
  tool: names.exactOptional().describe('Calls of these tools.'),
  agent: names.exactOptional().describe('Runs of these agents. With `tool`, only calls by these agents.'),
  step: names.exactOptional().describe('Work on the planned steps with these titles.'),
  arguments: z
    .record(z.string(), condition)
    .exactOptional()
    .describe('Only calls whose arguments fulfill all conditions, by name or dotted path.'),
  state: z
    .union([state, z.array(state).min(1)])
    .exactOptional()
    .describe('Only actions in one of these states.'),
}

const SUBJECTS = ['tool', 'agent', 'step'] as const
const NO_SUBJECT = 'names no action: set one of tool, agent, step'

/** Checks that the keys name an action. */
export const namesAction = [
  (given: ActionObject) => SUBJECTS.some((key) => given[key] !== undefined),
  NO_SUBJECT,
] as const

const actionObject = z.strictObject(actionKeys)

/** An action: the names of tools, or keys that select actions. */
export const action = z
  .union([names, actionObject.refine(...namesAction)])
  .describe('Names of tools, or an object that selects tool calls, runs of agents, or planned steps.')

type ActionObject = z.output<typeof actionObject>
export type ActionSelector = z.output<typeof action>

/** The selected actions. `unknown` ones may be selected, but their arguments were not recorded. */
export interface Selected {
  readonly actions: readonly Action[]
  readonly unknown: readonly Action[]
}

/** Selects actions of a plan. */
export function selectActions(plan: CheckedPlan, selector: ActionSelector): Selected {
  const sought = asObject(selector)
  const kind = kindOf(sought)
  const named = plan.actions[kind].filter(
    (one) =>
      matchesName(sought[kind] ?? '*', one.name) &&
      (kind !== 'tool' || sought.agent === undefined || matchesName(sought.agent, one.by)) &&
      (sought.state === undefined || [sought.state].flat().some((each) => each === one.state)),
  )
  const conditions = Object.entries(sought.arguments ?? {})
  if (conditions.length === 0) return { actions: named, unknown: [] }
  return {
    actions: named.filter((one) => {
      const data = one.data()
      return data && conditions.every(([path, wanted]) => fulfills(valuesAt(data.value, path), wanted))
    }),
    unknown: named.filter((one) => one.data() === undefined),
  }
}

/** Returns an action in words, without values of arguments. */
export function describeAction(selector: ActionSelector): string {
  const sought = asObject(selector)
  const kind = kindOf(sought)
  const parts = [
    `${kind === 'tool' ? '' : `${kind} `}${nameText(sought[kind] ?? '*')}`,
    kind === 'tool' && sought.agent !== undefined ? `by ${nameText(sought.agent)}` : '',
    sought.arguments ? `with certain ${Object.keys(sought.arguments).join(', ')}` : '',
    sought.state ? `that is ${[sought.state].flat().join(' or ')}` : '',
  ]
  return parts.filter(Boolean).join(' ')
}

const asObject = (selector: ActionSelector): ActionObject =>
  typeof selector === 'string' || Array.isArray(selector) ? { tool: selector } : selector

const kindOf = (sought: ActionObject): ActionKind => SUBJECTS.find((key) => sought[key] !== undefined) ?? 'tool'
