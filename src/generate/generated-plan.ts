import type { Span } from '../semconv/index.js'
import type { Random } from './random.js'
import { encodeRecords } from '../mapping/index.js'

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

/** A plan that came in as a record of one of the systems, from a source of its own. */
export function recordPlan(record: string, source: string): GeneratedPlan {
  const spans = [...encodeRecords(new TextEncoder().encode(record), { source })].flatMap((encoded) => encoded.spans)
  return { service: IMPORTER, spans }
}

/** The service that `planspan import` names. */
const IMPORTER = 'planspan-import'
