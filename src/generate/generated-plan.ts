import type { Span } from '../semconv/index.js'
import type { Random } from './random.js'

/** What a plan is made up from: its own random choices, when it begins, and when nothing more happens (Unix milliseconds). */
export interface PlanSeed {
  readonly random: Random
  readonly start: number
  readonly until: number
}

/** One plan's spans, and the service that sends them. */
export interface GeneratedPlan {
  readonly service: string
  readonly spans: readonly Span[]
}
