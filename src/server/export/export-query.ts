import { z } from 'zod'

import { DIALECT_NAMES } from '../../mapping/index.js'
import { FILTERS } from '../plan-filters.js'
import { booleanParameter } from '../query.js'

/** The parameters of `GET /api/export`. */
export const EXPORT_QUERY = z.strictObject({
  ...FILTERS,
  format: z
    .enum(DIALECT_NAMES)
    .exactOptional()
    .describe('All records in this dialect; else an import in its own, any other plan as plan-execution.'),
  exact: booleanParameter.exactOptional().describe('Each record as its exact text, in a string.'),
  cursor: z.string().exactOptional().describe('The cursor of the line behind which it goes on.'),
})
