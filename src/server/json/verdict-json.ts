import type { DecodedRecord } from '../../mapping/index.js'
import { MAX_MISSING, type VerdictJson } from '../../wire/index.js'

export const toVerdictJson = ({ traceId, verdict, state, gaps }: DecodedRecord): VerdictJson => ({
  traceId,
  verdict,
  state,
  missingCount: gaps.length,
  missing: gaps.slice(0, MAX_MISSING),
})
