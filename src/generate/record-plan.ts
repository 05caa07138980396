import { encodeRecords } from '../mapping/index.js'
import type { GeneratedPlan } from './generated-plan.js'

/** A plan that came in as a record of one of the systems, from a source of its own. */
export function recordPlan(record: string, source: string): GeneratedPlan {
  const spans = [...encodeRecords(new TextEncoder().encode(record), { source })].flatMap((encoded) => encoded.spans)
  return { service: IMPORTER, spans }
}

/** The service that `planspan import` names. */
const IMPORTER = 'planspan-import'
