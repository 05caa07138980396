import type { Span } from '../semconv/index.js'
import type { Random } from './random.js'
import { encodeRecords } from '../mapping/index.js'

/**
 * The inputs of a generated plan: its random choices, its start, and the end of the generated period (Unix
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

/** Returns a plan that was imported from a record. */
export function recordPlan(record: string, source: string): GeneratedPlan {
  const spans = [...encodeRecords(new TextEncoder().encode(record), { source })].flatMap((encoded) => encoded.spans)
  return { service: IMPORTER, spans }
}

/** The service name of `planspan import`. */
const IMPORTER = 'planspan-import'
