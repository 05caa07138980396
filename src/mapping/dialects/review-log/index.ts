import type { Dialect } from '../../dialect.js'
import { convertToReviewLog } from './convert.js'
import { decodeReviewLog } from './decode.js'
import { isReviewLog } from './detect.js'
import { encodeReviewLog } from './encode.js'

/** PlanRunRecord of my-deep-research's planner, a run a line: Python's `json.dumps(…, ensure_ascii=False)`. */
export const reviewLog: Dialect = {
  name: 'review-log',
  detect: isReviewLog,
  encode: encodeReviewLog,
  decode: decodeReviewLog,
  style: () => ({ colon: ' ', comma: ' ', tail: '\n' }),
  convert: convertToReviewLog,
}
