import { z } from 'zod'

import { WRITTEN_FORMATS } from '../../mapping/index.js'
import { FILTERS } from '../lists/plan-filters.js'
import { booleanParameter } from '../http/query.js'
import { PER } from '../records/record-target.js'

/** The parameters of `GET /api/export`. */
export const EXPORT_QUERY = z.strictObject({
  ...FILTERS,
  format: z
    .enum(WRITTEN_FORMATS)
    .exactOptional()
    .describe('All records in this format; else an import in its own, any other plan as plan-execution.'),
  per: PER,
  incomplete: booleanParameter
    .exactOptional()
    .describe('With format=chat: redacted and partial records, too, which are left out otherwise.'),
  exact: booleanParameter.exactOptional().describe('Each record as its exact text, in a string.'),
  cursor: z.string().exactOptional().describe('The cursor of the line behind which it goes on.'),
})
