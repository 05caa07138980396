import { z } from 'zod'

import { judgedCalls, judgementOf } from '../../mapping/index.js'
import { defineKind, unknownArguments } from '../kind.js'
import { action, selectActions } from '../select-actions.js'

/** `risk`: what guardrails must have judged, and how. */
export const risk = defineKind({
  schema: z
    .strictObject({
      max: z.number().exactOptional().describe('The highest risk of an action that was not stopped, from 0 to 1.'),
      unsafe: z
        .enum(['stopped', 'none'])
        .exactOptional()
        .describe('stopped: no unsafe action was taken. none: none was even proposed.'),
      judged: action.exactOptional().describe('A guardrail judged each of these actions.'),
    })
    .refine((rule) => Object.keys(rule).length > 0, 'sets nothing: set one of max, unsafe, judged')
    .describe('The findings of guardrails.'),
  *check({ max, unsafe, judged }, plan) {
    for (const node of plan.nodes) {
      const found = judgementOf(node)
      if (!found) continue
      const { score, isUnsafe, isTaken, tool } = found
      const what = tool || 'an action'
      if (max !== undefined && score !== undefined && score > max && isTaken !== false) {
        yield { text: `${what} has the risk ${String(score)}, at most ${String(max)} allowed`, node }
      }
      if (!isUnsafe || unsafe === undefined) continue
      if (unsafe === 'none') yield { text: `${what} was proposed and is unsafe`, node }
      else if (isTaken) yield { text: `${what} was taken although a guardrail found it unsafe`, node }
      else if (isTaken === undefined) {
        yield { text: `it is unknown whether ${what}, which is unsafe, was taken`, node, outcome: 'undecided' }
      }
    }
    if (judged === undefined) return
    const { actions, unknown } = selectActions(plan, judged)
    const found = plan.nodes.filter((node) => judgementOf(node)).map(judgedCalls)
    const seen = new Set(found.flatMap((calls) => calls ?? []))
    // The findings of some imported records do not name their calls.
    const outcome = found.includes(undefined) ? 'undecided' : 'broken'
    for (const { name, node } of actions) {
      if (!seen.has(node)) yield { text: `no guardrail judged ${name}`, node, outcome }
    }
    for (const { name, node } of unknown) if (!seen.has(node)) yield unknownArguments(name, node)
  },
})
