import type { Span } from '../semconv/index.js'
import type { Random } from './random.js'

/**
 * The inputs of a generated plan: its random choices, its start, and the time after which nothing happens (Unix
 * milliseconds).
 */
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
