import type { Dialect } from '../dialect.js'
import { convertToReviewLog } from './convert.js'
import { decodeReviewLog } from './decode.js'
import { isReviewLog, encodeReviewLog } from './encode.js'
import { eraNamed, ERAS } from './era.js'

/** PlanRunRecord of my-deep-research's planner, one run per line. */
export const reviewLog: Dialect = {
  name: 'review-log',
  eras: ERAS,
  detect: isReviewLog,
  encode: encodeReviewLog,
  decode: decodeReviewLog,
  style: (era) => eraNamed(era).style,
  carrierIn: ['planspan'],
  convert: convertToReviewLog,
}

export { PLANNER, RESEARCHER, SEARCH, stateOfSteps } from './encode.js'
export { ERAS } from './era.js'
