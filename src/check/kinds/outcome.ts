import { z } from 'zod'

import { STATES } from '../../semconv/index.js'
import { absent, defineKind } from '../kind.js'
import { matchesName, names, nameText } from '../patterns.js'

const stateName = z.enum(STATES)

/** `state`: how the plan must end. */
export const state = defineKind({
  schema: z
    .union([stateName, z.array(stateName).min(1)])
    .describe('The plan ends in this state, or in one of these states.'),
  *check(allowed, plan) {
    if ([allowed].flat().some((each) => each === plan.state)) return
    yield absent(plan, `the plan is ${plan.state}, not ${[allowed].flat().join(' or ')}`)
  },
})

/** `steps`: what was planned, and whether it was done. */
export const steps = defineKind({
  schema: z
    .strictObject({
      done: names.exactOptional().describe('Planned steps with these titles complete; "*" for all.'),
      planned: names.exactOptional().describe('At least one step with such a title is planned.'),
      atMost: z.number().int().min(0).exactOptional().describe('The highest number of planned steps.'),
    })
    .refine((rule) => Object.keys(rule).length > 0, 'sets nothing: set one of done, planned, atMost')
    .describe('The planned steps, those of sub-plans included.'),
  *check({ done, planned, atMost }, plan) {
    const { steps: all } = plan
    if (planned !== undefined && !all.some(({ title }) => matchesName(planned, title))) {
      yield absent(plan, `no step ${nameText(planned)} was planned`)
    }
    if (atMost !== undefined && all.length > atMost) {
      yield { text: `${String(all.length)} steps were planned, at most ${String(atMost)} allowed` }
    }
    for (const { title, index, state: reached, agents, calls, plan: owner } of all) {
      if (done === undefined || reached === 'completed' || !matchesName(done, title)) continue
      const what = `planned step ${String(index + 1)} ${reached === undefined ? 'never began' : `is ${reached}`}`
      yield absent(plan, what, agents.at(-1) ?? calls.at(-1) ?? owner)
    }
  },
})
