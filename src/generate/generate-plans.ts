import type { GeneratedPlan, PlanSeed } from './generated-plan.js'
import { livePlan } from './generated-live-plan.js'
import { planActPlan } from './plan-act-plan.js'
import { planExecutionPlan } from './plan-execution-plan.js'
import { Random } from './random.js'
import { reviewLogPlan } from './review-log-plan.js'
import { trajectoryPlan } from './trajectory-plan.js'

export interface GenerateOptions {
  readonly plans: number
  /** The number of days before `until` in which plans begin. */
  readonly days: number
  /** The same seed gives the same plans. */
  readonly seed: string
  /** The end of the generated period, Unix milliseconds. Plans that have not ended by then are still running. */
  readonly until: number
}

/** The kinds of plans, and their share in percent. */
const SHAPES: readonly (readonly [share: number, make: (seed: PlanSeed) => GeneratedPlan])[] = [
  [52, livePlan],
  [14, planExecutionPlan],
  [14, trajectoryPlan],
  [12, planActPlan],
  [8, reviewLogPlan],
]

const DAY = 86_400_000
const HOUR = 3_600_000
const HALF_A_MINUTE = 30_000

/**
 * Generates made-up plans of all systems, one after the other. Some fail, wait, are retried, refused or killed. A plan
 * depends on the seed, its number, the days and the end, not on the number of plans.
 */
export function* generatePlans({ plans, days, seed, until }: GenerateOptions): Generator<GeneratedPlan> {
  for (let number = 0; number < plans; number++) {
    const random = new Random(`${seed}/${String(number)}`)
    const start = startWithin(random, until - days * DAY, until)
    yield shapeOf(random)({ random, start, until })
  }
}

function shapeOf(random: Random): (seed: PlanSeed) => GeneratedPlan {
  let place = random.next() * 100
  for (const [share, make] of SHAPES) {
    if (place < share) return make
    place -= share
  }
  return livePlan
}

/** Returns a start time. Most work begins in the daytime, and some has just begun. */
function startWithin(random: Random, from: number, to: number): number {
  if (random.chance(0.02)) return Math.max(from, Math.floor(to - random.next() * HALF_A_MINUTE))
  for (;;) {
    const start = Math.floor(from + random.next() * (to - from))
    const hour = Math.floor(start / HOUR) % 24
    if (random.chance(hour >= 8 && hour < 18 ? 1 : 0.25)) return start
  }
}
