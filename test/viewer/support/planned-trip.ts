import { ATTR, type Span } from '../../../src/semconv/index.js'
import { PlanLife, type PlanLifeOptions } from '../../support/plan-life.js'

const NO_CAR = 'No car, please: the trains are better.'
const SUB = { [ATTR.planId]: 'plan-hotels' }

/**
 * A plan that was reviewed, replanned and judged, whose second step failed once. It has a sub-plan, waits for a person,
 * and has a pending step; an agent without a step watches. All of its rows, over two minutes.
 */
export function plannedTrip(options: PlanLifeOptions): Span[] {
  const life = new PlanLife(options)
  life.start('plan', 'plan', undefined, { [ATTR.planTitle]: 'Three days in Rome', [ATTR.agentName]: 'trip' })
  planning(life, { steps: ['Look for flights', 'Look for hotels', 'Rent a car', 'Book'], revision: 1 })
  const first = { action: 'REQUEST_CHANGES', feedback: NO_CAR }
  review(life, [first])
  planning(life, {
    steps: ['Look for flights', 'Look for hotels near the main station', 'Book', 'Send the tickets to all who travel'],
    revision: 2,
    reason: NO_CAR,
  })
  review(life, [first, { action: 'ACCEPT_PLAN', feedback: '' }])
  agent(life, { name: 'flights', step: 0 })
  for (const page of [1, 2, 3, 4])
    cycle(life, { above: 'flights', tool: `search page ${String(page)}`, fails: page === 2 })
  life.end('flights', { [ATTR.state]: 'completed' })
  agent(life, { name: 'hotels', step: 1 })
  cycle(life, { above: 'hotels', tool: 'open map', risk: 0.1 })
  cycle(life, { above: 'hotels', tool: 'pay a deposit', risk: 0.92 })
  life.end('hotels', { [ATTR.state]: 'failed', [ATTR.errorMessage]: 'The page is gone.' }, 'ERROR')
  agent(life, { name: 'hotels again', step: 1 })
  life.start('hiring', 'think_act', 'hotels again')
  life.start('delegate', 'tool', 'hiring', { [ATTR.toolName]: 'delegate' })
  life.start('sub', 'plan', 'delegate', {
    ...SUB,
    [ATTR.planTitle]: 'Compare hotels',
    [ATTR.planSteps]: ['List', 'Rank'],
  })
  life.start('lister', 'agent', 'sub', { ...SUB, [ATTR.agentName]: 'lister', [ATTR.stepIndex]: 0 })
  cycle(life, { above: 'lister', tool: 'list', attributes: SUB })
  life.end('lister', { [ATTR.state]: 'completed' })
  life.end('sub', { [ATTR.state]: 'completed' })
  life.end('delegate')
  life.end('hiring')
  life.end('hotels again', { [ATTR.state]: 'completed' })
  agent(life, { name: 'watcher' })
  cycle(life, { above: 'watcher', tool: 'look at prices' })
  life.end('watcher', { [ATTR.state]: 'completed' })
  agent(life, { name: 'booker', step: 2 })
  cycle(life, { above: 'booker', tool: 'fill in the form', risk: 0.81, stopped: true })
  life.start('asking', 'think_act', 'booker')
  life.start('wait', 'wait', 'asking', {
    [ATTR.waitReason]: 'form_input',
    [ATTR.waitTitle]: 'Whose card may I use?',
    [ATTR.waitFormDescription]: 'The booking needs a credit card.',
  })
  const [begun = 0n] = life.rows.map(({ startTimeUnixNano }) => startTimeUnixNano)
  const slower = (time: bigint): bigint => begun + (time - begun) * 100n
  return life.rows.map((row) => ({
    ...row,
    name: named(row),
    startTimeUnixNano: slower(row.startTimeUnixNano),
    endTimeUnixNano: slower(row.endTimeUnixNano),
  }))
}

const named = ({ name, attributes }: Span): string =>
  [name, attributes[ATTR.agentName] ?? attributes[ATTR.toolName]].filter((part) => part !== undefined).join(' ')

function planning(life: PlanLife, planned: { steps: readonly string[]; revision: number; reason?: string }): void {
  const { steps, revision, reason } = planned
  const name = `planning ${String(revision)}`
  life.start(name, 'planning', 'plan', { [ATTR.agentName]: 'planner', [ATTR.planRevision]: revision })
  life.end(name, { [ATTR.planSteps]: [...steps], ...(reason !== undefined && { [ATTR.planUpdateReason]: reason }) })
}

interface Review {
  readonly action: string
  readonly feedback: string
}

/** A wait for a review; the plan's list contains the earlier ones, too. */
function review(life: PlanLife, reviews: readonly Review[]): void {
  const attempt = reviews.length
  const about = { [ATTR.waitReason]: 'plan_review', [ATTR.waitTitle]: 'Review the plan', [ATTR.reviewAttempt]: attempt }
  life.start(`review ${String(attempt)}`, 'wait', 'plan', about)
  const log = reviews.map((one, index) => ({ attempt: index + 1, ...one }))
  life.change('plan', { [ATTR.reviewLog]: JSON.stringify(log) })
  life.end(`review ${String(attempt)}`, { [ATTR.waitActor]: 'Ada', [ATTR.waitResolution]: 'submitted' })
}

function agent(life: PlanLife, { name, step }: { name: string; step?: number }): void {
  life.start(name, 'agent', 'plan', { [ATTR.agentName]: name, ...(step !== undefined && { [ATTR.stepIndex]: step }) })
}

interface Cycle {
  readonly above: string
  readonly tool: string
  readonly fails?: boolean
  readonly risk?: number
  readonly stopped?: boolean
  readonly attributes?: Span['attributes']
}

/** A cycle with a call, which a guardrail may have judged. */
function cycle(life: PlanLife, { above, tool, fails = false, risk, stopped = false, attributes = {} }: Cycle): void {
  life.start('cycle', 'think_act', above, { ...attributes, [ATTR.actDescription]: tool })
  if (risk !== undefined) {
    life.start('guardrail', 'guardrail', 'cycle', {
      ...attributes,
      [ATTR.guardrailName]: 'safepred',
      [ATTR.riskScore]: risk,
      [ATTR.riskIsSafe]: risk < 0.5,
      [ATTR.riskActionTaken]: !stopped,
    })
    life.end('guardrail')
  }
  if (!stopped) {
    life.start('tool', 'tool', 'cycle', { ...attributes, [ATTR.toolName]: tool })
    life.end('tool', fails ? { [ATTR.errorMessage]: 'The service did not answer.' } : {}, fails ? 'ERROR' : 'UNSET')
  }
  life.end('cycle')
}
